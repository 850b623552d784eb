/** Does nothing, so that only the gateway's and the runtime's time is measured. */
export const handler = async () => ({ statusCode: 200, body: "{}" });
