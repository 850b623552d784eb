/** What nobody can be faster than. */
export async function handler() {
  return { statusCode: 200, headers: { "content-type": "application/json" }, body: "{}" };
}
