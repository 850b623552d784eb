import * as z from "zod/mini";
import { sha256Hex } from "../../base/digest.ts";
import { isRecord } from "../../base/json.ts";

/** What stands in a file in the place of a secret: the name of a field of the app's secret. */
export interface SecretReference {
  readonly secret: string;
}

/** Gives the text of a field of the app's secret; undefined if it has none of this name. */
export type SecretOf = (name: string) => Promise<string | undefined>;

/** A reference: the platform's own key is nobody else's to have. */
export const secretReferenceSchema = z.strictObject({
  secret: z.string().check(
    z.regex(/^[A-Za-z][\w-]{0,127}$/, "must be the name of a field of the app's secret"),
    z.refine((name) => name !== "apiKey", "the platform's key goes to nobody"),
  ),
});

/** Tells whether a value is a reference to a secret. */
export function isSecretReference(value: unknown): value is SecretReference {
  return isRecord(value) && typeof value.secret === "string" && Object.keys(value).length === 1;
}

/** Tells whether a field of this name holds a secret, as the platform's fields are named (docs/platform/management.md#settings-of-extensions). */
function isSecretField(name: string): boolean {
  return /key$|secret$|token$|password$|private_key$/i.test(name) && !/keyid$|_id$/i.test(name);
}

/** Tells whether a field holds a secret: its name says so, and something stands there. Of digits alone, YAML makes a number. */
export function isSecretText(name: string, value: unknown): value is string | number {
  return isSecretField(name) && ((typeof value === "string" && value !== "") || typeof value === "number");
}

/** A value with its references replaced, and the names that the app's secret lacks. */
export interface Resolved {
  readonly value: unknown;
  readonly missing: readonly string[];
}

/** Puts secrets in the place of references; one that is missing leaves undefined there. */
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
 * Gives a value as it may be shown: what a reference stands for, and what has a secret's name, is left out.
 * @param declared What is declared in its place, where something is.
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

/**
 * Puts references in the place of secrets.
 * @param path The way to the value: it names the field of the app's secret, unless one has the text already.
 */
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

/** Names the field of the app's secret for what stands at the end of a way: two ways have two names. */
export function secretNameAt(path: readonly string[]): string {
  const name = path.join("-");
  if (/^[A-Za-z][\w-]{0,127}$/.test(name)) return name;
  return `secret-${name.replaceAll(/[^\w-]+/g, "_").slice(0, 100)}-${sha256Hex(name).slice(0, 12)}`;
}

/** Tells whether a text is what a platform shows in a secret's place. */
export function isMasked(value: unknown): boolean {
  return typeof value === "string" && /[*•]{3}/.test(value);
}

const hidden = "(secret)";

/** Lists the names that references in a value have. */
export function referencesIn(value: unknown): readonly string[] {
  if (isSecretReference(value)) return [value.secret];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isRecord(value) ? Object.values(value).flatMap(referencesIn) : [];
}
