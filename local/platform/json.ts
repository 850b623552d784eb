/** Holds an object that came from, or goes to, JSON. */
export type JsonObject = { [key: string]: unknown };

/** Returns whether a value is a plain JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value that is a plain JSON object, and `{}` for any other. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Returns whether a value is an array of strings. */
export function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * Parses JSON text, or returns undefined if it is not JSON. The parse error is dropped: it quotes the text.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the fields that are not undefined, in their order. */
export function defined<T extends object>(fields: T): { [Field in keyof T]?: Exclude<T[Field], undefined> };
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Returns an object without some of its fields. */
export function omit<T extends object, Field extends keyof T>(object: T, ...fields: Field[]): Omit<T, Field>;
export function omit(object: object, ...fields: string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
