import type { ExplorerOperation } from "../../../api/explorer.ts";
import { writeCurl } from "../../parts/curl.ts";
import { isGroup, readable } from "../../parts/json/field-types.ts";

export interface Given {
  readonly appId: string;
  readonly region: string;
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  /** JSON, which may be invalid. */
  readonly body: string;
  readonly onBehalfOf: string;
  readonly scope: string;
  readonly engine: string;
}

export function pathNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** Names a path's value in the address: ids of different resources differ. */
export function keyOfName(path: string, name: string): string {
  const [, resource] = /([\w-]+)\/\{id\}/.exec(path) ?? [];
  return name === "id" ? `${resource}.id` : name;
}

export function missingOf({ path, query, onBehalfOf }: ExplorerOperation, given: Given): string | undefined {
  return [
    ...pathNames(path).filter((_name, place) => given.path[place] === ""),
    ...Object.keys(query)
      .flatMap((name) => (name.endsWith("!") ? name.slice(0, -1) : []))
      .filter((name) => given.query[name] === ""),
    ...(onBehalfOf === "required" && given.onBehalfOf === "" ? ["onBehalfOf"] : []),
  ][0];
}

export function takesBody({ verb, body }: ExplorerOperation): boolean {
  return verb !== "GET" && Object.keys(body).length > 0;
}

export function addressOf({ path, csv }: ExplorerOperation, given: Pick<Given, "path" | "query">): string {
  let place = 0;
  const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(given.path[place++] ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query)) {
    const values = Array.isArray(value) && !csv.includes(name) ? value : [value];
    for (const one of values) query.append(name, String(one));
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Reads `addressOf`'s result; a query's value is a text, or texts. */
export function readAddress({ path }: ExplorerOperation, address: string): Pick<Given, "path" | "query"> {
  const [sent = "", search = ""] = address.split("?");
  const [, ...values] = new RegExp(`^${path.replace(/\{\w+\}/g, "([^/]*)")}$`).exec(sent) ?? [];
  const asked = new URLSearchParams(search);
  const query = [...new Set(asked.keys())].map((name) => {
    const all = asked.getAll(name);
    return [name, all.length > 1 ? all : all[0]] as const;
  });
  return { path: values.map(decodeURIComponent), query: Object.fromEntries(query) };
}

/** Builds a request to the console's server, which adds the key. */
export function toRequest(operation: ExplorerOperation, given: Given): [url: string, init: RequestInit] {
  const { verb, service, isForm } = operation;
  const isOfApp = service === "chat" || service === "call";
  const base = isOfApp ? `${service}/${encodeURIComponent(given.appId)}` : service;
  const form = isForm ? toForm(given.body) : undefined;
  const sent = takesBody(operation) ? { body: form ?? given.body } : {};
  const headers = {
    ...headersOf(operation, given),
    ...(given.scope !== "" && { "x-key-scope": given.scope }),
    ...("body" in sent && form === undefined && { "content-type": "application/json" }),
  };
  return [`/api/${base}${addressOf(operation, given)}`, { method: verb, headers, ...sent }];
}

export function toCurl(operation: ExplorerOperation, given: Given, platformUrl: string): string {
  const { verb, service, isForm, isBasic } = operation;
  const bases = {
    chat: `/${given.appId}.api-${given.region}/v3`,
    call: `/${given.appId}.call-${given.region}/v3`,
    management: "/apimgmt",
    platform: "/_platform",
  };
  return writeCurl({
    method: verb,
    url: platformUrl + bases[service] + addressOf(operation, given),
    keys: service === "chat" || service === "call" ? "app" : service,
    isBasic,
    headers: headersOf(operation, given),
    ...(takesBody(operation) &&
      (isForm ? { form: formFields(given.body).map(nameFile) } : { json: given.body })),
  });
}

/** Writes a call of the client, named `chat` or `management`; undefined without a method. */
export function toCode(operation: ExplorerOperation, given: Given): string | undefined {
  const { client, method, extension, takesInput, verb, paged, isForm } = operation;
  if (client === undefined) return undefined;
  const body = takesBody(operation) ? parsed(given.body) : {};
  // The client takes a form's list as a list.
  const { searchTerms } = body;
  const terms = isForm && typeof searchTerms === "string" ? { searchTerms: searchTerms.split(",") } : {};
  const input: Record<string, unknown> = { ...nested(given.query), ...body, ...terms };
  const options = given.onBehalfOf === "" ? [] : [{ onBehalfOf: given.onBehalfOf }];
  const hasInput = takesInput && (verb !== "GET" || Object.keys(input).length + options.length > 0);
  const args = [
    ...given.path,
    ...(extension === undefined ? [] : [extension]),
    ...(hasInput ? [extension === undefined ? input : (input.settings ?? input)] : []),
    ...options,
  ];
  const call = `await ${client}.${method}(${args.map((one) => literal(one, isForm)).join(", ")})`;
  return paged === undefined ? `${call};` : `${call}.page();`;
}

function headersOf({ service, onBehalfOf }: ExplorerOperation, given: Given): Record<string, string> {
  return {
    ...(onBehalfOf !== "unsupported" && given.onBehalfOf !== "" && { onBehalfOf: given.onBehalfOf }),
    ...(service === "management" && given.engine !== "legacy" && { "x-webhook-version": "2" }),
  };
}

function toForm(body: string): FormData {
  const form = new FormData();
  for (const [name, value] of formFields(body)) {
    if (isFile(name)) form.set(name, new Blob([value]), name);
    else form.set(name, value);
  }
  return form;
}

function formFields(body: string): [name: string, value: string][] {
  return Object.entries(parsed(body)).map(([name, value]) => [name, String(value)]);
}

function nameFile([name, value]: [string, string]): [string, string] {
  return [name, isFile(name) ? `@${name}.txt` : value];
}

function isFile(name: string) {
  return name === "file" || name === "certificate";
}

/** Turns `sentAt[from]` into `sentAt: { from }`. */
function nested(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    const [, outer, inner] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
    if (outer === undefined || inner === undefined) fields[name] = value;
    else fields[outer] = { ...(isGroup(fields[outer]) ? fields[outer] : {}), [inner]: value };
  }
  return fields;
}

function literal(value: unknown, isForm: boolean) {
  const text = JSON.stringify(value, undefined, 2).replace(/^(\s*)"([a-zA-Z_$][\w$]*)":/gm, "$1$2:");
  return isForm ? text.replace(/^( {2}(?:file|certificate): )(".*")/gm, "$1new Blob([$2])") : text;
}

function parsed(body: string): Record<string, unknown> {
  const value = readable(body);
  return isGroup(value) ? value : {};
}
