import * as z from "zod/mini";
import { isOpenField, ownCredentialsIn } from "../../aws/secrets/parse-secret.ts";
import { describeError } from "../../base/describe-error.ts";
import { isRecord } from "../../base/json.ts";
import { hiderOf, redact } from "../../base/known-secrets.ts";

export interface SecretReference {
  readonly secret: string;
  /** In defaults of a `webhook…` field, the family's field, if it has its own credentials. */
  readonly unlessOwn?: string;
}

export type SecretOf = (name: string) => Promise<string | undefined>;

/** Excludes the platform's API key. */
export const secretReferenceSchema = z.strictObject({
  secret: z.string().check(
    z.regex(/^[A-Za-z][\w-]{0,127}$/, "must be the name of a field of the app's secret"),
    z.refine((name) => name !== "apiKey", "the platform's key cannot be referenced"),
  ),
});

export const orSecret = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.union([schema, secretReferenceSchema]);

export function isSecretReference(value: unknown): value is SecretReference {
  if (!isRecord(value) || typeof value.secret !== "string") return false;
  return Object.keys(value).every((key) => key === "secret" || key === "unlessOwn");
}

/** Goes by the platform's names (docs/internals/platform/management.md#settings-of-extensions). */
export function isSecretField(name: string): boolean {
  return /key$|secret$|token$|password$|private_key$/i.test(name) && !/keyid$|_id$/i.test(name);
}

/** YAML parses digits alone as a number. */
export function isFilled(value: unknown): value is string | number {
  return (typeof value === "string" && value !== "") || typeof value === "number";
}

/**
 * Treats all headers but usual ones as secret.
 * @param path fields without ids: a resource may be called `headers`
 */
export function isSecretAt(path: readonly PropertyKey[], value: unknown): value is string | number {
  if (!isFilled(value)) return false;
  const [name, text] = [String(path.at(-1)), String(value)];
  if (isSecretField(name) || path.slice(0, -2).includes("headers") || name === "headers") return true;
  const isUsual = /^(accept|content-type|user-agent)$/i.test(name) && !hasSecretPart(text);
  if (path.at(-2) === "headers" && !isUsual && !/^@var-[a-z]+:[\w.]+$/i.test(text)) return true;
  return fieldsWithParts.test(name) && hasSecretPart(text);
}

const fieldsWithParts = /^(endpoint|baseUrl|url|webhookURL|icon|bodyTemplate|constantValue|defaultValue)$/;

/** A password in an address, a secret's name with a value, or a key. */
function hasSecretPart(text: string) {
  const isAddress = /^\w+:\/\//.test(text);
  if (isAddress && /^\w+:\/\/[^\s/?#]*:[^\s/?#]*@/.test(text)) return true;
  const named = text.matchAll(/([\w-]+)"?\s*[:=]\s*"?(?!\{\{|@var-|null\b)[^\s"&,{}[\]]/g);
  if ([...named].some(([, name = ""]) => isSecretPart(name, isAddress))) return true;
  return !isAddress && (redact(text, []) !== text || /\b(basic|bearer)\s+[\w.~+/=-]{8}/i.test(text));
}

function isSecretPart(name: string, isInAddress: boolean) {
  if (isSecretField(name) || /(^|[_-])(pass|passwd|pwd|credentials?)$/i.test(name)) return true;
  return isInAddress && /(^|[_-])(sig|signature|auth|code)$/i.test(name);
}

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

export function partAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

export function referencesIn(value: unknown): readonly string[] {
  return findReferences(value).map(({ secret }) => secret);
}

function findReferences(value: unknown) {
  const references: SecretReference[] = [];
  replaceParts(value, (part) => {
    if (!isSecretReference(part)) return part;
    references.push(part);
    return undefined;
  });
  return references;
}

export async function resolveSecrets(value: unknown, secretOf: SecretOf) {
  const references = findReferences(value);
  const names = references.flatMap(({ secret, unlessOwn }) =>
    unlessOwn === undefined ? secret : [secret, `${unlessOwn}Username`, `${unlessOwn}Password`],
  );
  const refusals: string[] = [];
  const read = (name: string) =>
    secretOf(name).catch((error: unknown) => {
      refusals.push(`The app's secrets cannot be read: ${describeError(error)}`);
      return undefined;
    });
  const texts = new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
  const hasOwn = ownCredentialsIn((name) => texts.get(name));
  const nameOf = ({ secret, unlessOwn }: SecretReference) =>
    unlessOwn !== undefined && hasOwn(unlessOwn) ? secret.replace(/^webhook/, unlessOwn) : secret;
  return {
    value: replaceParts(value, (part) => (isSecretReference(part) ? texts.get(nameOf(part)) : part)),
    missing:
      refusals.length > 0 ? [] : references.map(nameOf).filter((name) => texts.get(name) === undefined),
    refusals,
  };
}

/**
 * Omits referenced secrets, and fields with a secret's name.
 * @param place names alone
 */
export function withoutSecrets(place: readonly string[], value: unknown, declared: unknown): unknown {
  return replaceParts(value, (part, path) => {
    if (part === undefined || part === null) return part;
    const named = [...place, ...path.filter((key) => typeof key === "string")];
    return isSecretReference(partAt(declared, path)) || isSecretAt(named, part) ? hidden : part;
  });
}

const hidden = "(secret)";

export function isMasked(value: unknown): boolean {
  return typeof value === "string" && /[*•]{3}/.test(value);
}

/** Ignores such characters in prose. */
export function isMaskedAt(path: readonly PropertyKey[], value: unknown): boolean {
  if (!isMasked(value)) return false;
  return fieldsWithParts.test(String(path.at(-1))) || isSecretAt(path, value) || !/\s/.test(String(value));
}

/** The platform's masks prove nothing about secrets. */
export function withMasks(value: unknown, declared: unknown, shown: unknown): unknown {
  return replaceParts(value, (part, path) => {
    const there = partAt(shown, path);
    return isMasked(there) && referencesIn(partAt(declared, path)).length > 0 ? there : part;
  });
}

/** True if the schema says so, leaves the value free, or lacks the place. */
export function takesReference(schema: z.core.$ZodType, path: readonly PropertyKey[]): boolean {
  const there = path.reduce<readonly z.core.$ZodType[]>(
    (schemas, name) => schemas.flatMap((one) => innerOf(one, name)),
    optionsOf(schema),
  );
  return there.length === 0 || there.some((one) => one === secretReferenceSchema || isFree(one));
}

function isFree({ _zod: { def } }: z.core.$ZodType) {
  return def.type === "custom" || def.type === "unknown" || def.type === "any";
}

function optionsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { innerType, options, getter } = Object(schema._zod.def);
  if (Array.isArray(options)) return options.flatMap(optionsOf);
  if (typeof getter === "function") return optionsOf(getter());
  return innerType === undefined ? [schema] : optionsOf(innerType);
}

function innerOf(schema: z.core.$ZodType, name: PropertyKey) {
  if (isFree(schema)) return [schema];
  if (schema === secretReferenceSchema) return [];
  const { shape = {}, catchall, element, valueType } = Object(schema._zod.def);
  const own = Object.hasOwn(shape, name) ? shape[name] : catchall;
  const inner = own ?? element ?? valueType;
  return inner === undefined || inner._zod.def.type === "never" ? [] : optionsOf(inner);
}

/** Field names say what is secret; an empty text is allowed. */
export function noPlainSecret(schema: z.core.$ZodType) {
  return ({ value, issues }: z.core.ParsePayload<unknown>) => {
    const refuse = (path: readonly PropertyKey[], message: string) =>
      issues.push({ code: "custom", input: undefined, path: [...path], message });
    replaceParts(value, (part, path) => {
      if (!takesReference(schema, path)) return part;
      if (isSecretReference(part)) {
        const problem = secretReferenceSchema.safeParse(part).error?.issues[0];
        if (problem !== undefined) refuse([...path, "secret"], problem.message);
        return undefined;
      }
      if (isSecretAt(path, part)) refuse(path, plainSecret);
      return part;
    });
  };
}

export const plainSecret =
  "a secret must not stand here: put it into the app's secret, and write { secret: <its field there> }";

export interface KnownSecrets {
  readonly textOf: (name: string) => string | undefined;
  readonly hideSecrets: (text: string) => string;
}

export function findSecrets(fields: Readonly<Record<string, unknown>>): KnownSecrets {
  const texts = Object.entries(fields).flatMap(([name, text]) =>
    typeof text === "object" || text === "" ? [] : [[name, String(text)] as const],
  );
  const values = new Map(texts);
  return {
    textOf: (name) => values.get(name),
    hideSecrets: hiderOf(texts.flatMap(([name, text]) => (isKnownSecret(name, text) ? text : []))),
  };
}

/** Hosts and short texts of letters alone need a secret's name; very short ones never are. */
function isKnownSecret(name: string, text: string) {
  if (text.length < 6 || isOpenField(name)) return false;
  return isSecretField(name) || !/^(https?:\/\/[\w.:-]+\/?|[\p{L} _-]{1,19})$/u.test(text);
}
