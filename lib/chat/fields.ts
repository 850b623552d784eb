import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import type { Schema } from "./schema.ts";

/** Input fields that several families share, with the platform's limits (docs/platform/ids-and-limits.md#texts). */

/** A field that may be left out. */
export const opt = <Output, Input>(schema: Schema<Output, Input>) => z.optional(schema);

/** Any text. */
export const word = () => z.string();

/** A text of 1 to so many characters (UTF-16 units: an emoji counts as 2, as the platform counts it). */
export const words = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));

/** uid, guid or role id: 1 to 100 of `a-z 0-9 - _`; upper case is lowered by the platform. */
export const platformId = () =>
  z.string().check(z.regex(/^[a-z0-9_-]{1,100}$/i, "1 to 100 of the characters a-z 0-9 - _"));

/** A list of texts. */
export const list = () => z.array(z.string());

/** A list of uids or guids. */
export const ids = () => z.array(platformId());

/** At least one uid or guid: an empty list in a request that changes things is a mistake of the caller. */
export const someIds = () => ids().check(z.minLength(1));

/** At most 25 tags of at most 100 characters. */
export const tags = () => z.array(words(100)).check(z.maxLength(25));

/** An address of at most 3000 characters. */
export const link = () => z.string().check(z.maxLength(3_000));

/** Yes or no. */
export const yesNo = () => z.boolean();

/** A whole number within bounds. */
export const int = (min = 0, max = Number.MAX_SAFE_INTEGER) =>
  z
    .number()
    .check(
      z.refine(
        (value) => Number.isSafeInteger(value) && value >= min && value <= max,
        max === Number.MAX_SAFE_INTEGER
          ? `a whole number of at least ${min}`
          : `a whole number from ${min} to ${max}`,
      ),
    );

/** A moment in unix seconds; milliseconds are refused, they would lie thousands of years ahead. */
export const unixSeconds = () =>
  z
    .number()
    .check(z.refine((value) => Number.isSafeInteger(value) && value >= 0 && value < 1e11, "unix seconds"));

/** A moment in unix milliseconds; seconds are refused. */
export const unixMilliseconds = () =>
  z.number().check(z.refine((value) => Number.isSafeInteger(value) && value >= 1e11, "unix milliseconds"));

/** A range of moments in unix seconds, both ends included. */
export const range = () => z.strictObject({ from: opt(unixSeconds()), to: opt(unixSeconds()) });

/** Free JSON. */
export const json = () => z.custom<Record<string, unknown>>(isFieldBag, "an object");

/** Tells an object with named fields from what keeps its content elsewhere (Headers, Map, …) and would be sent empty. */
export function isFieldBag(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(Symbol.iterator in value);
}

/** Free JSON of users and groups: at most 5 KB. */
export const metadata = () =>
  json().check(z.refine((value) => jsonBytes(value) <= 5 * 1024, "an object of at most 5 KB as JSON"));

/** Where a list by cursor goes: after or before the place the cursor names. */
export const affix = () => z.enum(["append", "prepend"]);

/**
 * Query fields of lists that count pages: `page` from 1, `perPage` 1 to 1000, default 100
 * (docs/platform/answers-and-errors.md#lists-by-page).
 */
export const pageFields = () => ({ page: opt(int(1)), perPage: opt(int(1, 1_000)) });

/** Query of lists that know nothing but pages. */
export const pageQuery = () => z.strictObject(pageFields());

/** Counts the bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
