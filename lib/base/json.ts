/**
 * Parses JSON, or gives undefined, which is no JSON value, for what is none. The parser's own error is kept back: it
 * quotes its input, which may be a secret or what somebody wrote.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells whether a value is an object with named fields: not null, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
