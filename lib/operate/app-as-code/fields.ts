import * as z from "zod/mini";
import { isRecord } from "../../base/json.ts";
import { fits } from "./fits.ts";
import type { Fields } from "./thing.ts";

/** Keeps each key: a record of zod drops `__proto__`. */
export const freeObject = () => z.custom<Fields>(isRecord, "expected keys with values");

/** Without null or missing ones. */
export function pickFields(answer: Fields, names: readonly string[]): Fields {
  const picked = names.map((name) => [name, answer[name]] as const);
  return Object.fromEntries(picked.filter(([, value]) => value !== undefined && value !== null));
}

/** The platform shows what is not set as an empty text, list or object. */
export function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !fits("", value)));
}

/** None if it is not a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? [...new Set(value.map(String))] : [];
}

export function memberChanges(
  wanted: unknown,
  there: unknown,
): { readonly added: string[]; readonly gone: string[] } {
  const [target, found] = [textsOf(wanted), textsOf(there)];
  return {
    added: target.filter((member) => !found.includes(member)),
    gone: found.filter((member) => !target.includes(member)),
  };
}

/** Omits those that do not exist. */
export async function findEach<Thing>(
  ids: readonly string[],
  find: (id: string) => Promise<Thing | undefined>,
): Promise<readonly Thing[]> {
  const found = await Promise.all(ids.map(find));
  return found.filter((thing) => thing !== undefined);
}
