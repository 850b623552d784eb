import type { Context } from "hono";
import * as z from "zod/mini";
import { WrongInputError } from "../read-input.ts";

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
