import { isRecord } from "../../base/json.ts";
import { canonicalText } from "../../events/canonical-text.ts";
import type { FieldRule } from "./thing.ts";

/**
 * Ignores fields that the platform adds to an object: defaults, times and numbers. One text equals a list of
 * it (docs/internals/platform/moderation.md#conditions); an empty text, list or object equals a missing one.
 */
export function fits(wanted: unknown, found: unknown): boolean {
  if (isEmpty(wanted)) return isEmpty(found);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(found)) return wanted.length === 1 && found !== undefined && fits(wanted[0], found);
    return wanted.length === found.length && wanted.every((item, index) => fits(item, found[index]));
  }
  if (Array.isArray(found)) return found.length === 1 && fits(wanted, found[0]);
  if (isRecord(wanted)) {
    return isRecord(found) && Object.entries(wanted).every(([name, value]) => fitsWithin(value, found[name]));
  }
  return (
    wanted === found || (isNumberOrText(wanted) && isNumberOrText(found) && String(wanted) === String(found))
  );
}

/** Ignores no field. */
export function fitsWhole(wanted: unknown, found: unknown): boolean {
  return fits(wanted, found) && fits(found, wanted);
}

/** Regardless of order and repetition. */
export function fitsAsSet(wanted: unknown, found: unknown): boolean {
  return fits(sorted(wanted), sorted(found));
}

/** For a field of this rule. */
export function comparisonOf({ list, isWhole }: Pick<FieldRule, "list" | "isWhole">): typeof fits {
  if (list !== undefined) return fitsAsSet;
  return isWhole ? fitsWhole : fits;
}

/** @param path from the outside in; empty for the value itself */
export function differencesOf(
  wanted: unknown,
  found: unknown,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly before: unknown }[] {
  if (!isRecord(wanted) || !isRecord(found)) return [{ path, before: found }];
  return Object.entries(wanted).flatMap(([name, value]) =>
    fitsWithin(value, found[name]) ? [] : differencesOf(value, found[name], [...path, name]),
  );
}

/** Within an object a false flag may be omitted. */
function fitsWithin(wanted: unknown, found: unknown): boolean {
  return (wanted === false && found === undefined) || fits(wanted, found);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

/**
 * The platform returns some numbers as texts (docs/internals/platform/ids-and-limits.md#numbers-as-texts).
 */
function isNumberOrText(value: unknown): boolean {
  return typeof value === "number" || typeof value === "string";
}

function sorted(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const byText = new Map(value.map((item: unknown) => [canonicalText(item), item]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}
