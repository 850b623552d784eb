/** Reads an answer in the platform's place, and gives another that says the same: a test may give one answer several times. */
export async function takeAnswer(
  answered: Response,
): Promise<{ readonly text: string; readonly response: Response }> {
  const { status, headers } = answered;
  const text = await answered.clone().text();
  // Some statuses, such as 204 and 304, may have no body, not even an empty one.
  return { text, response: new Response(text === "" ? null : text, { status, headers }) };
}
