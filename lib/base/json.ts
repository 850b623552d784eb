/**
 * Parses JSON. Returns undefined if the text is not JSON. Drops the parser's error, because it quotes its
 * input, which may be a secret or a user's text.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true if a value is an object with named fields: not null, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
