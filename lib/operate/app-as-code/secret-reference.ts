import * as z from "zod/mini";
import { ownCredentialsIn } from "../../aws/secrets/own-credentials.ts";
import { isOpenField } from "../../aws/secrets/parse-secret.ts";
import { sha256Hex } from "../../base/digest.ts";
import { isRecord } from "../../base/json.ts";
import { hiderOf } from "../../base/known-secrets.ts";
import { redact } from "../../chat/redact.ts";

/** Names a field of the app's secret. */
export interface SecretReference {
  readonly secret: string;
  /** Only in defaults, of a `webhook…` field: the family's field, if it has its own credentials. */
  readonly unlessOwn?: string;
}

/** Undefined if the app's secret has no such field. */
export type SecretOf = (name: string) => Promise<string | undefined>;

/** The platform's API key cannot be referenced. */
export const secretReferenceSchema = z.strictObject({
  secret: z.string().check(
    z.regex(/^[A-Za-z][\w-]{0,127}$/, "must be the name of a field of the app's secret"),
    z.refine((name) => name !== "apiKey", "the platform's key cannot be referenced"),
  ),
});

export function isSecretReference(value: unknown): value is SecretReference {
  if (!isRecord(value) || typeof value.secret !== "string") return false;
  return Object.keys(value).every((key) => key === "secret" || key === "unlessOwn");
}

/** By the platform's names (docs/internals/platform/management.md#settings-of-extensions). */
function isSecretField(name: string): boolean {
  return /key$|secret$|token$|password$|private_key$/i.test(name) && !/keyid$|_id$/i.test(name);
}

/** YAML parses digits alone as a number. */
function isSecretText(name: PropertyKey = "", value: unknown): value is string | number {
  return (
    isSecretField(String(name)) && ((typeof value === "string" && value !== "") || typeof value === "number")
  );
}

/** @param path names the value: all headers but usual ones are secret, without regard to their names */
export function isSecretAt(path: readonly PropertyKey[], value: unknown): value is string | number {
  const [parent, name] = [path.at(-2), path.at(-1)];
  // The name of a tool's parameter.
  if (name === "key" && path.includes("parameters")) return false;
  if (isSecretText(name, value)) return true;
  if (typeof value !== "string" || value === "") return false;
  if (name === "headers") return true;
  const isUsual =
    /^(accept|content-type|user-agent)$/i.test(String(name)) || /^@var-[a-z]+:[\w.]+$/i.test(value);
  return (parent === "headers" && !isUsual) || (fieldsWithParts.test(String(name)) && hasSecretPart(value));
}

/** Of AI agents: addresses, templates and constants. */
const fieldsWithParts = /^(endpoint|baseUrl|url|icon|bodyTemplate|constantValue|defaultValue)$/;

/** A password in an address, a value with a name of secrets that is no placeholder, or a key. */
function hasSecretPart(text: string): boolean {
  if (/^\w+:\/\/[^\s/?#]*:[^\s/?#]*@/.test(text)) return true;
  const named = text.matchAll(/([\w-]+)"?\s*[:=]\s*"?(?!\{\{|@var-|null\b)[^\s"&,{}[\]]/g);
  if ([...named].some(([, name = ""]) => isSecretField(name))) return true;
  return (
    !/^\w+:\/\//.test(text) && (redact(text, []) !== text || /\b(basic|bearer)\s+[\w.~+/=-]{8}/i.test(text))
  );
}

/**
 * Copies a value. `replace` returns what takes a part's place, or the part itself to look into it.
 * @param path of the value
 */
export function replaceParts(
  value: unknown,
  replace: (part: unknown, path: readonly PropertyKey[]) => unknown,
  path: readonly PropertyKey[] = [],
): unknown {
  const replaced = replace(value, path);
  if (replaced !== value) return replaced;
  if (Array.isArray(value)) return value.map((item, index) => replaceParts(item, replace, [...path, index]));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, replaceParts(part, replace, [...path, name])]),
  );
}

/** Undefined if there is no such part. */
export function partAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

export function referencesIn(value: unknown): readonly string[] {
  return findReferences(value).map(({ secret }) => secret);
}

function findReferences(value: unknown): readonly SecretReference[] {
  const references: SecretReference[] = [];
  replaceParts(value, (part) => {
    if (!isSecretReference(part)) return part;
    references.push(part);
    return undefined;
  });
  return references;
}

/** Missing ones become undefined. */
export async function resolveSecrets(
  value: unknown,
  secretOf: SecretOf,
): Promise<{ readonly value: unknown; readonly missing: readonly string[] }> {
  const references = findReferences(value);
  const names = references.flatMap(({ secret, unlessOwn }) =>
    unlessOwn === undefined ? secret : [secret, `${unlessOwn}Username`, `${unlessOwn}Password`],
  );
  const texts = new Map(await Promise.all(names.map(async (name) => [name, await secretOf(name)] as const)));
  const hasOwn = ownCredentialsIn((name) => texts.get(name));
  const nameOf = ({ secret, unlessOwn }: SecretReference) =>
    unlessOwn !== undefined && hasOwn(unlessOwn) ? secret.replace(/^webhook/, unlessOwn) : secret;
  return {
    value: replaceParts(value, (part) => (isSecretReference(part) ? texts.get(nameOf(part)) : part)),
    missing: references.map(nameOf).filter((name) => texts.get(name) === undefined),
  };
}

/**
 * Printable: omits referenced secrets, and fields with a secret's name.
 * @param place of the value, names alone
 * @param declared the declared value in this place, if any
 */
export function withoutSecrets(place: readonly string[], value: unknown, declared: unknown): unknown {
  return replaceParts(value, (part, path) => {
    if (part === undefined || part === null) return part;
    const named = [...place, ...path.filter((key) => typeof key === "string")];
    return isSecretReference(partAt(declared, path)) || isSecretAt(named, part) ? hidden : part;
  });
}

const hidden = "(secret)";

/** What an app's secret holds. */
export interface KnownSecrets {
  /**
   * Finds the field of the app's secret that has a text.
   * @param ownName of the field for the text's place: preferred to others with the text
   */
  readonly secretNameOf?: ((text: string, ownName: string) => string | undefined) | undefined;
  /** Whether the app's secret has the field. */
  readonly hasSecret?: (name: string) => boolean;
  /** Replaces values of the app's secret within a text. */
  readonly hideSecrets?: (text: string) => string;
}

/** @param path names the field of the app's secret, unless a field has the text already */
export function toReferences(value: unknown, path: readonly string[], known?: KnownSecrets): unknown {
  return replaceParts(value, (part, at) =>
    isSecretAt([...path, ...at], part) ? referenceTo(part, [...path, ...placeOf(value, at)], known) : part,
  );
}

/** @param text undefined if it is not shown */
export function referenceTo(
  text: unknown,
  path: readonly string[],
  { secretNameOf, hideSecrets = (part) => part }: KnownSecrets = {},
): SecretReference {
  const ownName = secretNameAt(path.map((part) => hideSecrets(part)));
  return { secret: (text === undefined ? undefined : secretNameOf?.(String(text), ownName)) ?? ownName };
}

/** A path with the ids of items, which keep them, instead of their places among others. */
export function placeOf(value: unknown, path: readonly PropertyKey[]): readonly string[] {
  return path.map((name, index) => {
    const before = path.slice(0, index);
    const list = typeof name === "number" ? partAt(value, before) : undefined;
    const ids = Array.isArray(list) ? list.map((item) => idOf(item, before)) : [];
    const id = ids[Number(name)];
    return id !== undefined && ids.indexOf(id) === ids.lastIndexOf(id) ? id : String(name);
  });
}

/** What identifies an item of a file's lists; names are the last resort. */
const idFields = ["slug", "id", "uid", "role", "providerId", "triggerFunction", "title", "key", "name"];

function idOf(item: unknown, path: readonly PropertyKey[]): string | undefined {
  const field = idFields.find((name) => {
    const id = partAt(item, [name]);
    return typeof id === "string" && !isSecretAt([...path, name], id);
  });
  return field === undefined ? undefined : String(partAt(item, [field]));
}

/** Names and finds what an app's secret holds. A file never refers to the API key. */
export function findSecrets(fields: Readonly<Record<string, unknown>>): Required<KnownSecrets> {
  const texts = Object.entries(fields).flatMap(([name, text]) =>
    typeof text === "object" || isOpenField(name) ? [] : [[name, String(text)] as const],
  );
  const others = new Map(texts.filter(([name, text]) => name !== "apiKey" && text !== ""));
  const names = new Map(Array.from(others, ([name, text]) => [text, name]));
  return {
    secretNameOf: (text: string, ownName: string) =>
      others.get(ownName) === text ? ownName : names.get(text),
    hasSecret: (name: string) => others.has(name),
    hideSecrets: hiderOf(texts.flatMap(([name, text]) => (isKnownSecret(name, text) ? text : []))),
  };
}

/** Without a secret's name, hosts and short texts of letters alone are none; very short ones never are. */
function isKnownSecret(name: string, text: string): boolean {
  if (text.length < 6) return false;
  return isSecretField(name) || !/^(https?:\/\/[\w.:-]+\/?|[\p{L} _-]{1,19})$/u.test(text);
}

/** Different paths have different names: `tool-order_status-headers-Authorization`. */
export function secretNameAt(path: readonly string[]): string {
  const name = path.map((part) => part.replaceAll("-", "_")).join("-");
  if (/^[A-Za-z][\w-]{0,127}$/.test(name) && !path.some((part) => part.includes("_"))) return name;
  const digest = sha256Hex(JSON.stringify(path)).slice(0, 12);
  return `secret-${name.replaceAll(/[^\w-]+/g, "_").slice(0, 100)}-${digest}`;
}

export function isMasked(value: unknown): boolean {
  return typeof value === "string" && /[*•]{3}/.test(value);
}

/**
 * Copies a value with masks where the platform shows them, which prove nothing of secrets.
 * @param declared with references to these secrets
 */
export function withMasks(value: unknown, declared: unknown, shown: unknown): unknown {
  return replaceParts(value, (part, path) => {
    const there = partAt(shown, path);
    return isMasked(there) && referencesIn(partAt(declared, path)).length > 0 ? there : part;
  });
}
