import type { DocumentedInput, Fields, FieldType } from "../../local/platform/catalogue/catalogue.ts";
import type { CatalogueOperation } from "../../local/platform/catalogue/operations.ts";
import type { SentRequest } from "./every-request.ts";
import { unknownIds } from "./perform.ts";

/** A request that a platform must refuse, and its mistake. */
export interface WrongRequest {
  wrong: string;
  request: SentRequest;
  /** It names a missing resource. */
  isUnknown?: true;
}

/** Lists requests with one mistake each: a field is missing, or of another type. */
export function wrongInputs(
  right: SentRequest,
  { query = {}, body = {} }: Partial<DocumentedInput>,
): WrongRequest[] {
  return [...wrongQueries(right, query), ...wrongBodies(right, body)];
}

/** Lists the request with each id in path, acting user and body replaced by an unknown one. */
export function unknownTargets(right: SentRequest, operation: CatalogueOperation): WrongRequest[] {
  const places = operation.path.split("/");
  const prefix = right.url.pathname.split("/").length - places.length;
  const ofPath = places.flatMap((place, index) => {
    const name = /^\{(\w+)\}$/.exec(place)?.[1] ?? "";
    if (place === "" || name === "" || notTargets.has(name)) return [];
    const url = new URL(right.url);
    const parts = url.pathname.split("/");
    parts[index + prefix] = unknownIds[name] ?? "nothing-of-the-kind";
    url.pathname = parts.join("/");
    return [{ wrong: `unknown ${name}`, request: { ...right, url }, isUnknown: true as const }];
  });
  if (operation.onBehalfOf === "unsupported") return ofPath;
  const headers = new Headers(right.headers);
  headers.set("onbehalfof", "nobody");
  return [...ofPath, { wrong: "unknown onBehalfOf", request: { ...right, headers }, isUnknown: true }];
}

// An emoji, the name of a scope and of a channel are words, not ids that may be unknown.
const notTargets = new Set(["reaction", "scope", "channelType"]);

function wrongQueries(right: SentRequest, fields: Fields): WrongRequest[] {
  return Object.entries(fields).flatMap(([key, type]) => {
    const { name, isRequired } = parseKey(key);
    const missing = new URL(right.url);
    missing.searchParams.delete(name);
    const other = new URL(right.url);
    other.searchParams.set(name, "neither");
    return [
      ...(isRequired ? [{ wrong: `query without ${name}`, request: { ...right, url: missing } }] : []),
      ...(type === "integer" || type === "number" || type === "boolean"
        ? [{ wrong: `query ${name} is no ${type}`, request: { ...right, url: other } }]
        : []),
    ];
  });
}

function wrongBodies(right: SentRequest, fields: Fields): WrongRequest[] {
  if (right.body instanceof FormData) return wrongForms(right, right.body, fields);
  return wrongObjects(right.body ?? {}, fields, "").map(({ wrong, body }) => ({
    wrong,
    request: { ...right, headers: withJson(right.headers), body },
  }));
}

function wrongForms(right: SentRequest, form: FormData, fields: Fields): WrongRequest[] {
  const required = Object.keys(fields)
    .map(parseKey)
    .filter(({ isRequired }) => isRequired);
  return required.map(({ name }) => {
    const body = new FormData();
    for (const [key, value] of form) if (key !== name) body.append(key, value);
    return { wrong: `form without ${name}`, request: { ...right, body } };
  });
}

type Body = Record<string, unknown>;

function wrongObjects(body: Body, fields: Fields, at: string): { wrong: string; body: Body }[] {
  return Object.entries(fields).flatMap(([key, type]) => {
    const { name, isRequired } = parseKey(key);
    if (name === "*") return wrongEntries(body, type, at);
    const { [name]: value, ...rest } = body;
    const inner = isObject(value) ? value : {};
    const inside = isFields(type) ? wrongObjects(inner, type, `${at}${name}.`) : [];
    return [
      ...(isRequired ? [{ wrong: `without ${at}${name}`, body: rest }] : []),
      ...wrongValues(type).map((other) => ({
        wrong: `${at}${name} is ${JSON.stringify(other)}`,
        body: { ...body, [name]: other },
      })),
      ...inside.map((one) => ({ wrong: one.wrong, body: { ...body, [name]: one.body } })),
    ];
  });
}

function wrongEntries(body: Body, type: FieldType, at: string): { wrong: string; body: Body }[] {
  if (!isFields(type)) return [];
  return Object.entries(body).flatMap(([key, value]) =>
    isObject(value)
      ? wrongObjects(value, type, `${at}*.`).map((one) => ({ ...one, body: { ...body, [key]: one.body } }))
      : [],
  );
}

/** Values that a field of the type cannot have. Any text is a valid word: a page's list may be incomplete. */
function wrongValues(type: FieldType): unknown[] {
  if (typeof type === "object") return Array.isArray(type) ? ["text", [7]] : ["text", ["text"]];
  if (type.endsWith("[]")) return ["text", [{}]];
  if (type === "object") return ["text", ["text"]];
  if (type === "boolean") return ["neither", { a: 1 }];
  if (type === "integer" || type === "number") return ["neither", { a: 1 }];
  return [{ a: 1 }, ["text"]];
}

function parseKey(key: string): { name: string; isRequired: boolean } {
  return { name: key.replace(/!$/, ""), isRequired: key.endsWith("!") };
}

function isFields(type: FieldType): type is Fields {
  return typeof type === "object" && !Array.isArray(type);
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withJson(headers: Headers): Headers {
  const all = new Headers(headers);
  all.set("content-type", "application/json");
  return all;
}
