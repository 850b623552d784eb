/** The lower bound of all times. */
export async function handler() {
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: "{}" };
}
