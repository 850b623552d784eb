import * as z from "zod/mini";
import { sha256Hex } from "../../base/digest.ts";
import { isRecord } from "../../base/json.ts";

/** Names a field of the app's secret. */
export interface SecretReference {
  readonly secret: string;
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
  return isRecord(value) && typeof value.secret === "string" && Object.keys(value).length === 1;
}

/** By the platform's names (docs/internals/platform/management.md#settings-of-extensions). */
function isSecretField(name: string): boolean {
  return /key$|secret$|token$|password$|private_key$/i.test(name) && !/keyid$|_id$/i.test(name);
}

/** YAML parses digits alone as a number. */
export function isSecretText(name: string, value: unknown): value is string | number {
  return isSecretField(name) && ((typeof value === "string" && value !== "") || typeof value === "number");
}

export interface Resolved {
  readonly value: unknown;
  readonly missing: readonly string[];
}

/** Missing ones become undefined. */
export async function resolveSecrets(value: unknown, secretOf: SecretOf): Promise<Resolved> {
  if (isSecretReference(value)) {
    const text = await secretOf(value.secret);
    return { value: text, missing: text === undefined ? [value.secret] : [] };
  }
  if (Array.isArray(value)) {
    const items = await Promise.all(value.map((item) => resolveSecrets(item, secretOf)));
    return { value: items.map((item) => item.value), missing: items.flatMap(({ missing }) => missing) };
  }
  if (!isRecord(value)) return { value, missing: [] };
  const entries = await Promise.all(
    Object.entries(value).map(
      async ([name, inner]) => [name, await resolveSecrets(inner, secretOf)] as const,
    ),
  );
  return {
    value: Object.fromEntries(entries.map(([name, inner]) => [name, inner.value])),
    missing: entries.flatMap(([, { missing }]) => missing),
  };
}

/**
 * Printable: omits referenced secrets, and fields with a secret's name.
 * @param declared the declared value in this place, if any
 */
export function withoutSecrets(name: string, value: unknown, declared?: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (isSecretReference(declared) || isSecretText(name, value)) return hidden;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      withoutSecrets(name, item, Array.isArray(declared) ? declared[index] : undefined),
    );
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, part]) => [
      inner,
      withoutSecrets(inner, part, isRecord(declared) ? declared[inner] : undefined),
    ]),
  );
}

/** @param path names the field of the app's secret, unless a field has the text already */
export function toReferences(
  value: unknown,
  path: readonly string[],
  secretNameOf: (text: string) => string | undefined = () => undefined,
): unknown {
  if (isSecretText(path.at(-1) ?? "", value)) {
    return { secret: secretNameOf(String(value)) ?? secretNameAt(path) };
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => toReferences(item, [...path, String(index)], secretNameOf));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, toReferences(part, [...path, name], secretNameOf)]),
  );
}

/** Different paths have different names. */
export function secretNameAt(path: readonly string[]): string {
  const name = path.join("-");
  if (/^[A-Za-z][\w-]{0,127}$/.test(name)) return name;
  return `secret-${name.replaceAll(/[^\w-]+/g, "_").slice(0, 100)}-${sha256Hex(name).slice(0, 12)}`;
}

export function isMasked(value: unknown): boolean {
  return typeof value === "string" && /[*•]{3}/.test(value);
}

const hidden = "(secret)";

export function referencesIn(value: unknown): readonly string[] {
  if (isSecretReference(value)) return [value.secret];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isRecord(value) ? Object.values(value).flatMap(referencesIn) : [];
}
