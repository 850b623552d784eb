import { isRecord } from "../base/json.ts";
import { editDistance } from "../base/names.ts";
import { InvalidInputError } from "./errors.ts";

/** @throws InvalidInputError for any error while reading */
export function readPlainly<T>(operation: string, whole: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidInputError) throw error;
    throw new InvalidInputError(operation, whole, "plain data that can be read and written as JSON");
  }
}

export function typeNameOf(value: unknown): string {
  if (value === null || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  return Array.isArray(value) ? "array" : typeof value;
}

/** Treats undefined as absent. */
export type PlainRule = readonly [rule: string, isFine: (value: unknown) => boolean];

export type PlainRules = Readonly<Record<string, PlainRule>>;

/**
 * Checks like `checkCall`, without a schema library.
 * @param required the fields that must be present
 * @throws InvalidInputError naming argument or field and the rule, never the value
 */
export function checkPlain(
  call: string,
  argument: string,
  rules: PlainRules,
  value: unknown,
  required: readonly string[] = [],
  mayHaveOthers = false,
): void {
  readPlainly(call, argument, () => {
    if (!isRecord(value)) {
      const rule = value === undefined ? "an object" : `an object, not ${typeNameOf(value)}`;
      throw new InvalidInputError(call, argument, rule, value === undefined);
    }
    checkOptionNames(call, Object.keys(rules), value, mayHaveOthers);
    for (const [name, [rule, isFine]] of Object.entries(rules)) {
      const field = value[name];
      if (field === undefined ? required.includes(name) : !isFine(field)) {
        throw new InvalidInputError(call, name, rule, field === undefined);
      }
    }
  });
}

export const plainText: PlainRule = ["a text", (value) => typeof value === "string"];
export const isFunction = (value: unknown) => typeof value === "function";
export const plainFunction: PlainRule = ["a function", isFunction];

/**
 * Suggests the correct name.
 * @param mayHaveOthers refuses only misspelled names
 * @throws InvalidInputError
 */
export function checkOptionNames(
  call: string,
  known: readonly string[],
  given: object,
  mayHaveOthers = false,
): void {
  for (const stray of Object.keys(given).filter((name) => !known.includes(name))) {
    const most = stray.length > 4 ? 2 : mayHaveOthers ? 0 : 1;
    const meant = known.find((name) => editDistance(name.toLowerCase(), stray.toLowerCase()) <= most);
    if (meant !== undefined) throw new InvalidInputError(call, stray, `called ${meant}`);
    const rule = `left out: there is no such option. It takes { ${known.join(", ")} }`;
    if (!mayHaveOthers) throw new InvalidInputError(call, stray, rule);
  }
}
