import * as z from "zod/mini";
import type { Schema } from "./operation.ts";

/** Input fields that several families share, with the platform's limits (platform facts: chat-api §5). */

/** uid, guid or role id: 1 to 100 of `a-z 0-9 - _`; upper case is lowered by the platform. */
export const platformId = () =>
  z.string().check(z.regex(/^[a-z0-9_-]{1,100}$/i, "1 to 100 of the characters a-z 0-9 - _"));

/** A display name: 1 to 100 characters, an emoji counts as 2. */
export const displayName = () => z.string().check(z.minLength(1), z.maxLength(100));

/** At most 25 tags of at most 100 characters. */
export const tags = () => z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(25));

/** An address of at most 3000 characters. */
export const link = () => z.string().check(z.maxLength(3_000));

/** Free JSON of at most 5 KB. */
export const metadata = () => sizedJson(5 * 1024, "at most 5 KB of JSON");

/** Free JSON of any size the message allows. */
export const json = () => z.record(z.string(), z.unknown());

/** A JSON object whose text has at most so many bytes. */
export function sizedJson(
  maxBytes: number,
  rule: string,
): Schema<Record<string, unknown>, Record<string, unknown>> {
  return json().check(z.refine((value) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes, rule));
}

/** Query fields of lists that count pages: `page` from 1, `perPage` 1 to 1000 (default 100). Platform facts: chat-api §3. */
export const pageFields = () => ({
  page: z.optional(z.int().check(z.gte(1))),
  perPage: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
});

/** Seconds range, inclusive. */
export const range = () => z.strictObject({ from: z.optional(z.int()), to: z.optional(z.int()) });
