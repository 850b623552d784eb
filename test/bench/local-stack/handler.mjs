/** Does nothing: what an invocation takes is then the gateway's and the runtime's. */
export const handler = async () => ({ statusCode: 200, body: "{}" });
