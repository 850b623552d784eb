import type * as z from "zod/mini";
import { durationMs } from "../../base/config-fields.ts";
import { isRecord } from "../../base/json.ts";
import { checkOptionNames, readPlainly } from "../../chat/check-plain.ts";
import { InvalidInputError } from "../../chat/errors.ts";
import type { Schema } from "../../chat/schema.ts";

/** A small value that triggers and flows remember, made by `defineState`. */
export interface StateKind<T> {
  readonly name: string;
  /** Returns the schema of its values. */
  readonly schema: () => Schema<T>;
  readonly per: "app" | "key" | "user" | "conversation";
  /** How long a value is kept after its last change. */
  readonly keepForMs: number;
}

/**
 * Declares a value that is remembered per app, user, conversation, or key of your own, such as a host's name.
 * Keys are case-sensitive. `keepFor` counts from the last change: `30min`, `12h`, `2d`; at most a year.
 * @param name unique; must not change: values are stored under it
 * @param schema for plain JSON values: no dates, no maps. It must accept values that an older one wrote.
 * @throws RangeError for an invalid name or time, InvalidInputError for other invalid or unknown options
 * @example const firstToday = defineState("first-today", z.object({ day: z.string() }), { per: "user",
 * keepFor: "2d" });
 */
export function defineState<S extends Schema>(
  name: string,
  schema: S,
  { per, keepFor }: { readonly per: StateKind<unknown>["per"]; readonly keepFor: string },
): StateKind<z.output<S>>;
export function defineState(
  name: string,
  schema: Schema,
  options: { readonly per: StateKind<unknown>["per"]; readonly keepFor: string },
): StateKind<unknown> {
  checkState(name, schema, options);
  const { per, keepFor } = options;
  if (!/^[a-z0-9-]{1,60}$/.test(name)) {
    throw new RangeError(`The state "${name}" needs a name of small letters, digits and dashes, at most 60.`);
  }
  const keepForMs = durationMs(keepFor);
  if (keepForMs < 1 || keepForMs > longestMs) {
    throw new RangeError(`The state "${name}" is kept for "${keepFor}": it must be between 1s and 366d.`);
  }
  return { name, schema: () => schema, per, keepForMs };
}

function checkState(name: unknown, schema: unknown, options: unknown) {
  readPlainly("defineState", "options", () => {
    const wrong = (argument: string, rule: string, value: unknown) =>
      new InvalidInputError("defineState", argument, rule, value === undefined);
    if (typeof name !== "string") throw wrong("name", "a text", name);
    if (!isRecord(schema) || !("_zod" in schema)) throw wrong("schema", "a schema of zod 4", schema);
    if (!isRecord(options)) throw wrong("options", "{ per, keepFor }", options);
    checkOptionNames("defineState", ["per", "keepFor"], options);
    const { per, keepFor } = options;
    if (!["app", "key", "user", "conversation"].some((one) => one === per))
      throw wrong("per", "app, key, user or conversation", per);
    if (typeof keepFor !== "string") throw wrong("keepFor", "a length of time such as 2d", keepFor);
  });
}

const longestMs = 366 * 86_400_000;
