import { badRequest, PlatformError } from "../errors/platform-error.ts";
import { isJsonObject, isStringArray, type JsonObject } from "../json.ts";
import type { Query } from "../store/query.ts";

/** A trailing `!` marks a required field; other fields are allowed. */
export type Shape = { readonly [field: string]: FieldType };

/**
 * A word (`time`: whole seconds, as a number or digits), an object's fields, or those of each object of a
 * list.
 */
export type FieldType =
  | "string"
  | "number"
  | "boolean"
  | "time"
  | "object"
  | "string[]"
  | "object[]"
  | Shape
  | readonly [Shape];

/** The codes of refusals are assumed where no page gives one. */
export type InputRules = {
  body?: Shape;
  /** Parameters that are not text. */
  query?: { readonly [name: string]: "integer" | "boolean" };
  /** One of these fields is required; a list of items must not be empty. */
  needs?: { any: readonly string[] } | { items: readonly string[] };
};

export function assumptionsOf({ needs }: InputRules): string[] {
  if (needs === undefined) return [];
  return "any" in needs
    ? ["A body with none of the known fields is refused like one that does not validate."]
    : [
        "Without anything to act on, or with empty lists alone, it is refused like a body that does not validate.",
      ];
}

export type Refuse = (details: Record<string, string>) => PlatformError;

/** @throws PlatformError what `refuse` makes, ERR_BAD_REQUEST by default */
export function requireInput(
  { body: shape = {}, query: parameters = {}, needs }: InputRules,
  { body, query }: { body: JsonObject; query: Query },
  refuse: Refuse = badRequest,
): void {
  for (const [name, type] of Object.entries(parameters)) {
    try {
      if (type === "integer") query.integer(name);
      else query.flag(name);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      throw refuse({ [name]: `The ${name} must be ${type === "integer" ? "an integer" : names[type]}.` });
    }
  }
  checkFields(body, shape, refuse);
  if (needs === undefined) return;
  const [fields, isThere] = "any" in needs ? [needs.any, isPresent] : [needs.items, isFilled];
  if (!fields.some((field) => isThere(body[field]))) {
    throw refuse(
      Object.fromEntries(fields.map((field) => [field, `One of ${fields.join(", ")} is required.`])),
    );
  }
}

/** @throws PlatformError what `refuse` makes, ERR_BAD_REQUEST by default */
export function checkFields(body: JsonObject, shape: Shape, refuse: Refuse = badRequest): void {
  const wrong = findWrong(body, shape, "");
  if (wrong !== undefined) throw refuse({ [wrong.field]: `The ${wrong.field} ${wrong.says}.` });
}

type Wrong = { field: string; says: string };

// Null counts as absent.
function findWrong(object: JsonObject, shape: Shape, at: string): Wrong | undefined {
  for (const [key, type] of Object.entries(shape)) {
    const name = key.replace(/!$/, "");
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (!isPresent(value) && name !== key) return { field: `${at}${name}`, says: "field is required" };
    const wrong = isPresent(value) ? wrongValue(value, type, `${at}${name}`) : undefined;
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongValue(value: unknown, type: FieldType, field: string): Wrong | undefined {
  if (typeof type === "string") {
    return isOfType[type](value) ? undefined : { field, says: `must be ${names[type]}` };
  }
  if (isList(type)) {
    if (!Array.isArray(value)) return { field, says: `must be ${names["object[]"]}` };
    return value.map((item) => wrongValue(item, type[0], `${field}[]`)).find((wrong) => wrong !== undefined);
  }
  return isJsonObject(value)
    ? findWrong(value, type, `${field}.`)
    : { field, says: `must be ${names.object}` };
}

function isList(type: Shape | readonly [Shape]): type is readonly [Shape] {
  return Array.isArray(type);
}

function isPresent(value: unknown) {
  return value !== undefined && value !== null;
}

function isFilled(value: unknown) {
  return isPresent(value) && !(Array.isArray(value) && value.length === 0);
}

const isOfType = {
  string: (value: unknown) => typeof value === "string",
  number: (value: unknown) => typeof value === "number",
  boolean: (value: unknown) => typeof value === "boolean",
  time: (value: unknown) => /^\d{1,12}$/.test(String(value)) && !Array.isArray(value),
  object: isJsonObject,
  "string[]": isStringArray,
  "object[]": (value: unknown) => Array.isArray(value) && value.every(isJsonObject),
};

const names = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  time: "a unix timestamp in seconds",
  object: "an object",
  "string[]": "an array of strings",
  "object[]": "an array of objects",
};
