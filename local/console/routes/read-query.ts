import * as z from "zod/mini";

/** A text of a query; an empty one is none. */
export const aText = z.optional(
  z.pipe(
    z.string().check(z.maxLength(1_000)),
    z.transform((text) => (text === "" ? undefined : text)),
  ),
);

/** A whole number of a query, from 0. */
export const aCount = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,15}$/)),
    z.transform((text) => Number(text)),
  ),
);

interface Refusal {
  readonly error: { readonly message: string };
}

/** Reads a request's query, or its body; what does not fit is refused in words that name the field. */
export function readQuery<Schema extends z.ZodMiniType>(
  schema: Schema,
  given: unknown,
): { readonly query: z.output<Schema> } | { readonly refusal: Refusal } {
  const read = schema.safeParse(given);
  if (read.success) return { query: read.data };
  const told = read.error.issues.map(({ path, message }) => `${path.join(".") || "all of it"}: ${message}`);
  return { refusal: { error: { message: `This was not understood. ${told.join("; ")}` } } };
}
