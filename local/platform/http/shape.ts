import type { DocumentedInput, Fields, FieldType } from "../catalogue/catalogue.ts";
import { documentedInputs } from "../catalogue/inputs.ts";
import { badRequest, type Refuse } from "../errors/platform-error.ts";
import { isJsonObject, isStringArray, type JsonObject, omit } from "../json.ts";
import type { Query } from "../store/query.ts";

export type InputRules = {
  /** Fields beyond the pages'. */
  alsoTakes?: readonly string[];
  /** Whether the handler refuses with other codes, or per entry. */
  checksBody?: true;
  refuseInput?: Refuse;
};

export function requireInput(
  { operationId, alsoTakes = [], checksBody, refuseInput = badRequest }: InputRules & Operation,
  { body, query }: { body: JsonObject; query: Query },
): void {
  const input = inputs.get(operationId);
  if (input === undefined) return;
  checkQuery(query, input, refuseInput);
  if (input.form !== true && checksBody !== true) {
    checkFields(body, input.body ?? {}, { refuse: refuseInput, isStrict: input.api === "agents" });
  }
  const { needs } = input;
  if (needs === undefined) return;
  const names = [...fieldsOf(operationId), ...alsoTakes];
  const isEmpty = (value: unknown) => needs === "items" && Array.isArray(value) && value.length === 0;
  if (names.some((name) => isPresent(body[name]) && !isEmpty(body[name]))) return;
  const says = `One of ${names.join(", ")} is required.`;
  throw refuseInput(Object.fromEntries(names.map((name) => [name, says])));
}

type Operation = { operationId: string };

/** Skips a message's content. */
export function checkEntry(entities: string, entry: JsonObject): void {
  const fields = inputs.get(`import-${entities}`)?.body?.[`${entities}!`];
  if (isFields(fields) && isFields(fields["*"])) {
    checkFields(omit(entry, "data"), fields["*"], { refuse: badRequest, isStrict: false });
  }
}

/** Treats null as absent. */
export function known(body: JsonObject, operationId: string): JsonObject {
  const names = fieldsOf(operationId).filter((name) => isPresent(body[name]));
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}

const inputs = new Map(documentedInputs().map((input) => [input.id, input]));

function fieldsOf(operationId: string) {
  return Object.keys(inputs.get(operationId)?.body ?? {}).map(nameOf);
}

function nameOf(key: string) {
  return key.replace(/!$/, "");
}

function checkQuery(query: Query, { query: parameters = {}, api }: DocumentedInput, refuse: Refuse) {
  for (const [key, type] of Object.entries(parameters)) {
    const name = nameOf(key);
    const text = query.text(name) ?? "";
    if (text === "" && name !== key) throw refuse({ [name]: `The ${name} field is required.` });
    // Expects a list of uids: the page's type is a mistake.
    if (type === "boolean" && name !== "mentionedUids") query.flag(name);
    if (type === "integer" || type === "number") query.integer(name);
    if (api === "agents" && text !== "" && String(type).includes("|")) {
      const isWord = String(type).split("|").includes(text);
      if (!isWord) throw refuse({ [name]: `The ${name} must be one of: ${String(type)}.` });
    }
  }
}

type Check = { refuse: Refuse; isStrict: boolean };

function checkFields(object: JsonObject, fields: Fields, check: Check, at = "") {
  for (const [key, type] of Object.entries(fields)) {
    for (const name of key === "*" ? Object.keys(object) : [nameOf(key)]) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      if (isPresent(value)) checkValue(value, type, check, `${at}${name}`);
      else if (key.endsWith("!")) throw refusal(check, `${at}${name}`, "field is required");
    }
  }
}

function checkValue(value: unknown, type: FieldType, check: Check, field: string) {
  if (isFields(type)) {
    if (!isJsonObject(value)) throw refusal(check, field, anObject);
    checkFields(value, type, check, `${field}.`);
  } else if (typeof type !== "string") {
    if (!Array.isArray(value)) throw refusal(check, field, objects);
    for (const item of value) checkValue(item, type[0], check, `${field}[]`);
  } else {
    const { is, says } = typeOf(type, check, field);
    if (!is(value)) throw refusal(check, field, says);
  }
}

function refusal({ refuse }: Check, field: string, says: string) {
  return refuse({ [field]: `The ${field} ${says}.` });
}

function typeOf(type: string, { isStrict }: Check, field: string): Type {
  // The printed imports have numeric texts.
  const known = types[type === "integer" && field.endsWith("At") ? "time" : type];
  // Elsewhere any text is allowed: a page's list may be incomplete.
  if (known !== undefined || !(isStrict || /^\d/.test(type))) return known ?? text;
  const words = type.split("|");
  return {
    is: (value) => typeof value !== "object" && words.includes(String(value)),
    says: `must be one of: ${words.join(", ")}`,
  };
}

function isFields(type: FieldType | undefined): type is Fields {
  return isJsonObject(type);
}

function isPresent(value: unknown) {
  return value !== undefined && value !== null;
}

type Type = { is: (value: unknown) => boolean; says: string };

const anObject = "must be an object";
const objects = "must be an array of objects";
const text: Type = { is: (value) => typeof value === "string", says: "must be a string" };
const number: Type = { is: (value) => typeof value === "number", says: "must be a number" };
const types: Readonly<Record<string, Type>> = {
  string: text,
  number,
  integer: number,
  boolean: { is: (value) => typeof value === "boolean", says: "must be true or false" },
  time: {
    is: (value) => /^\d{1,12}$/.test(String(value)) && !Array.isArray(value),
    says: "must be a unix timestamp in seconds",
  },
  object: { is: isJsonObject, says: anObject },
  "string[]": { is: isStringArray, says: "must be an array of strings" },
  "object[]": { is: (value) => Array.isArray(value) && value.every(isJsonObject), says: objects },
};
