/** Holds an object that came from, or goes to, JSON. */
export type JsonObject = { [key: string]: unknown };

/** Tells whether a value is a plain JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Tells whether a value is an array of strings. */
export function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Parses JSON text, or gives undefined when it is not JSON. The parse error is dropped: it quotes the text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
