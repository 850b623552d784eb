import type * as z from "zod/mini";
import words from "zod/v4/locales/en.js";

/**
 * Reads a value by a schema.
 * @param at where the value stands, in messages
 * @throws Failure (TypeError unless given) with a line for every mistake: its place, and what is wrong
 */
export function readWith<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  at: string,
  Failure: new (mistakes: string) => Error = TypeError,
): T {
  // Words for this reading alone: what sets them for all would change what a client beside this says.
  const result = schema.safeParse(value, { error: words().localeError });
  if (result.success) return result.data;
  throw new Failure(
    result.error.issues
      .map(({ path, message }) => `${showPath([at, ...path]) || "seed"}: ${message}`)
      .join("\n"),
  );
}

function showPath(path: readonly PropertyKey[]) {
  return path
    .filter((part) => part !== "")
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}
