import type * as z from "zod/mini";
import type { Schema } from "../chat/operation.ts";
import { durationMs } from "../duration.ts";

/** A kind of small value that triggers and flows remember, made by `defineState`. */
export interface StateKind<T> {
  readonly name: string;
  readonly schema: () => Schema<T>;
  readonly per: "app" | "user" | "conversation";
  /** How long a value is kept after its last change, in milliseconds. */
  readonly keepForMs: number;
}

/**
 * Declares a kind of value that is remembered for each app, each user or each conversation.
 * @param name must stay: what is remembered is found by it. Two kinds need two names.
 * @param schema of plain JSON values: no dates, no maps. What an older one wrote must fit a newer one.
 * @param keepFor counts from the last change: `30min`, `12h`, `2d`; at most a year
 * @throws RangeError for a name or a time that cannot be
 * @example const firstToday = defineState("first-today", z.object({ day: z.string() }), { per: "user", keepFor: "2d" });
 */
export function defineState<S extends Schema>(
  name: string,
  schema: S,
  { per, keepFor }: { readonly per: StateKind<unknown>["per"]; readonly keepFor: string },
): StateKind<z.output<S>>;
export function defineState(
  name: string,
  schema: Schema,
  { per, keepFor }: { readonly per: StateKind<unknown>["per"]; readonly keepFor: string },
): StateKind<unknown> {
  if (!/^[a-z0-9-]{1,60}$/.test(name)) {
    throw new RangeError(`The state "${name}" needs a name of small letters, digits and dashes, at most 60.`);
  }
  const keepForMs = durationMs(keepFor);
  if (keepForMs < 1 || keepForMs > longestMs) {
    throw new RangeError(`The state "${name}" is kept for "${keepFor}": it must be between 1s and 366d.`);
  }
  return { name, schema: () => schema, per, keepForMs };
}

const longestMs = 366 * 86_400_000;
