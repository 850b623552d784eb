/** Reads an answer of the test and returns an equal one: a test may return the same object several times. */
export async function takeAnswer(
  answered: Response,
): Promise<{ readonly text: string; readonly response: Response }> {
  const { status, headers } = answered;
  const text = await answered.clone().text();
  // Some statuses, such as 204 and 304, may have no body, not even an empty one.
  return { text, response: new Response(text === "" ? null : text, { status, headers }) };
}
