import type { Context } from "hono";
import * as z from "zod/mini";
import { WrongInputError } from "./read-input.ts";

/** Empty counts as missing. */
export const aText = z.optional(
  z.pipe(
    z.string().check(z.maxLength(1_000)),
    z.transform((text) => (text === "" ? undefined : text)),
  ),
);

export const aCount = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/)),
    z.transform((text) => Number(text)),
  ),
);

/** @throws WrongInputError that names each invalid field */
export function readFilters<Schema extends z.ZodMiniType>(
  context: Context,
  schema: Schema,
): z.output<Schema> {
  const read = schema.safeParse(context.req.query());
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new WrongInputError(`The query is invalid: ${wrong.join("; ")}.`);
}

/** Of a list whose newest entries come first, by numbers. */
export const pageFields = { before: aCount, after: aCount, limit: aCount };
const pageSchema = z.object(pageFields);

/**
 * The newest of those before `before`, oldest first. What came after `after` is counted.
 * @param usual if no limit is given
 */
export function pickPage<One extends { readonly id: number }>(
  all: readonly One[],
  isMeant: (one: One) => boolean,
  page: z.output<typeof pageSchema>,
  { usual, most }: { readonly usual: number; readonly most: number },
) {
  const { before = Number.POSITIVE_INFINITY, after = Number.POSITIVE_INFINITY, limit = usual } = page;
  const meant = all.filter(isMeant);
  const older = meant.filter(({ id }) => id < before);
  const shown = Math.min(limit, most);
  return {
    picked: older.slice(-shown),
    hasOlder: older.length > shown,
    matching: meant.length,
    kept: all.length,
    newer: meant.filter(({ id }) => id > after).length,
  };
}
