import * as z from "zod/mini";
import words from "zod/v4/locales/en.js";

/** @param at its place, for messages @throws Failure (default TypeError) with places and texts of mistakes */
export function readWith<T>(
  schema: z.ZodMiniType<T>,
  value: unknown,
  at: string,
  Failure: new (mistakes: string) => Error = TypeError,
): T {
  let mistakes: string;
  try {
    // Passes the words for this reading: global ones would change the messages of a client beside this.
    const result = schema.safeParse(value, { error: words().localeError });
    if (result.success) return result.data;
    mistakes = result.error.issues
      .map(({ path, message }) => `${showPath([at, ...path]) || "seed"}: ${message}`)
      .join("\n");
  } catch {
    // A getter may throw.
    mistakes = `${at || "seed"}: must be plain data that can be read as JSON`;
  }
  throw new Failure(mistakes);
}

export const filled = z.string().check(z.minLength(1));
export const id = z
  .string()
  .check(z.regex(/^[a-z0-9_-]{1,100}$/, "must hold lower-case letters, digits, dashes and underscores"));
export const text = z.exactOptional(z.string());
export const flag = z.exactOptional(z.boolean());

function showPath(path: readonly PropertyKey[]) {
  return path
    .filter((part) => part !== "")
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}
