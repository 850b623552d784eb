import type { DocumentedInput, Fields, FieldType } from "../catalogue/catalogue.ts";
import { documentedInputs } from "../catalogue/inputs.ts";
import { badRequest, type Refuse } from "../errors/platform-error.ts";
import { isJsonObject, isStringArray, type JsonObject, omit } from "../json.ts";
import type { Query } from "../store/query.ts";

export type InputRules = {
  /** Beyond the pages'. */
  alsoTakes?: readonly string[];
  /** The handler refuses with other codes, or entry by entry. */
  checksBody?: true;
  refuseInput?: Refuse;
};

/** @throws PlatformError what `refuseInput` makes */
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

/** But for a message's content. */
export function checkEntry(entities: string, entry: JsonObject): void {
  const fields = inputs.get(`import-${entities}`)?.body?.[`${entities}!`];
  if (isFields(fields) && isFields(fields["*"])) checkFields(omit(entry, "data"), fields["*"]);
}

/** Null counts as absent. */
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
    // A list of uids: the page's type is a slip.
    if (type === "boolean" && name !== "mentionedUids") query.flag(name);
    if (type === "integer" || type === "number") query.integer(name);
    if (api === "agents" && text !== "" && String(type).includes("|")) {
      const isWord = String(type).split("|").includes(text);
      if (!isWord) throw refuse({ [name]: `The ${name} must be one of: ${String(type)}.` });
    }
  }
}

function checkFields(
  body: JsonObject,
  fields: Fields,
  { refuse = badRequest, isStrict = false }: { refuse?: Refuse; isStrict?: boolean } = {},
) {
  const wrong = findWrong(body, fields, { at: "", isStrict });
  if (wrong !== undefined) throw refuse({ [wrong.field]: `The ${wrong.field} ${wrong.says}.` });
}

type Wrong = { field: string; says: string };

function findWrong(
  object: JsonObject,
  fields: Fields,
  place: { at: string; isStrict: boolean },
): Wrong | undefined {
  const all = Object.entries(fields).flatMap(([key, type]) =>
    key === "*"
      ? Object.keys(object).map((name) => ({ name, type, isRequired: false }))
      : [{ name: nameOf(key), type, isRequired: key.endsWith("!") }],
  );
  for (const { name, type, isRequired } of all) {
    const field = `${place.at}${name}`;
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (!isPresent(value)) {
      if (isRequired) return { field, says: "field is required" };
      continue;
    }
    const wrong = wrongValue(value, type, { field, isStrict: place.isStrict });
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongValue(
  value: unknown,
  type: FieldType,
  { field, isStrict }: { field: string; isStrict: boolean },
): Wrong | undefined {
  if (isFields(type)) {
    const inner = { at: `${field}.`, isStrict };
    return isJsonObject(value) ? findWrong(value, type, inner) : { field, says: types.object.says };
  }
  if (typeof type !== "string") {
    if (!Array.isArray(value)) return { field, says: types["object[]"].says };
    const place = { field: `${field}[]`, isStrict };
    return value.map((item) => wrongValue(item, type[0], place)).find((wrong) => wrong !== undefined);
  }
  // The printed imports have digits in texts.
  const name = type === "integer" && field.endsWith("At") ? "time" : type;
  const known = Object.entries(types).find(([known]) => known === name)?.[1];
  const words = type.split("|");
  if (known === undefined && (isStrict || /^\d/.test(type))) {
    return typeof value !== "object" && words.includes(String(value))
      ? undefined
      : { field, says: `must be one of: ${words.join(", ")}` };
  }
  // Elsewhere any text: a page's list may be short.
  const { is, says } = known ?? types.string;
  return is(value) ? undefined : { field, says };
}

function isFields(type: FieldType | undefined): type is Fields {
  return isJsonObject(type);
}

function isPresent(value: unknown) {
  return value !== undefined && value !== null;
}

const number = { is: (value: unknown) => typeof value === "number", says: "must be a number" };
const types = {
  string: { is: (value: unknown) => typeof value === "string", says: "must be a string" },
  number,
  integer: number,
  boolean: { is: (value: unknown) => typeof value === "boolean", says: "must be true or false" },
  time: {
    is: (value: unknown) => /^\d{1,12}$/.test(String(value)) && !Array.isArray(value),
    says: "must be a unix timestamp in seconds",
  },
  object: { is: isJsonObject, says: "must be an object" },
  "string[]": { is: isStringArray, says: "must be an array of strings" },
  "object[]": {
    is: (value: unknown) => Array.isArray(value) && value.every(isJsonObject),
    says: "must be an array of objects",
  },
};
