import { isJsonObject, type JsonObject, objectOf } from "../json.ts";
import { listThings } from "./agent-route.ts";
import type { Run } from "./run.ts";

const mark = /@var-(auth|custom):([A-Za-z]\w*(?:\.\w+)*)|\{\{\s*([\w.-]+)\s*\}\}/g;

/**
 * Fills `@var-auth:…`, `@var-custom:…` and `{{…}}`. That what is missing becomes empty is assumed.
 * @param values what stands in braces; braces stay without them
 * @param show a value as text, by default as it is; in JSON it must not end its own text
 */
export function fillTemplate(
  template: string,
  run: Run,
  values: JsonObject | undefined,
  show: (value: unknown) => string = showPlainly,
): string {
  return template.replaceAll(mark, (whole: string, kind: string | undefined, name = "", key = "") => {
    if (kind === undefined) return values === undefined ? whole : show(lookUp(values, key) ?? "");
    return show((kind === "auth" ? authOf(run)[name] : customOf(run, name)) ?? "");
  });
}

/** The names between braces. */
export function keysIn(template: string): Set<string> {
  return new Set(Array.from(template.matchAll(mark), ([, , , key = ""]) => key));
}

/** Who writes comes first: neither the model nor a client's metadata can pretend to be another (assumed). */
export function chatContext({ sender, message }: Run, parameters: JsonObject): JsonObject {
  return { ...objectOf(message.data.metadata), ...parameters, uid: sender.uid, role: sender.role };
}

/** In JSON texts: without quotes of their own. */
export function showInJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return typeof value === "string" ? text.slice(1, -1) : text;
}

export function showPlainly(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function authOf({ sender }: Run): JsonObject {
  return { "sender.uid": sender.uid, "sender.name": sender.name, "sender.role": sender.role };
}

function customOf({ services, sender, message }: Run, name: string): unknown {
  const variable = listThings(services, "variable").find((one) => one.name === name);
  if (variable === undefined) return undefined;
  const { sourceType, sourcePath, constantValue, defaultValue } = variable;
  const source = sourceType === "user_metadata" ? sender.metadata : message.data.metadata;
  const value = sourceType === "constant" ? constantValue : lookUp(objectOf(source), String(sourcePath));
  return value === undefined || value === "" ? defaultValue : value;
}

/** By its name, or by a path of names. */
function lookUp(values: JsonObject, path: string): unknown {
  if (Object.hasOwn(values, path)) return values[path];
  return path
    .split(".")
    .reduce<unknown>(
      (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      values,
    );
}
