export type JsonObject = { [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** SQLite reads 1,000 levels, and stored bodies add a few. */
export const maxJsonLevels = 512;

/** Drops the parse error, which quotes the text. @returns undefined if not JSON, or over `maxJsonLevels` */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasAtMost(maxJsonLevels, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function hasAtMost(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => hasAtMost(levels - 1, inner));
}

export function mapValues<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

export function defined<T extends object>(fields: T): { [Field in keyof T]?: Exclude<T[Field], undefined> };
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Omits undefined fields. */
export function pick<T extends object, Field extends keyof T>(object: T, ...fields: Field[]): Pick<T, Field>;
export function pick(object: object, ...fields: string[]): object {
  const isPicked = ([field, value]: [string, unknown]) => fields.includes(field) && value !== undefined;
  return Object.fromEntries(Object.entries(object).filter(isPicked));
}

export function omit<T extends object, Field extends keyof T>(object: T, ...fields: Field[]): Omit<T, Field>;
export function omit(object: object, ...fields: string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
