import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { checkInput } from "./check-input.ts";
import { checkOptionNames } from "./check-option-names.ts";
import { readPlainly } from "./read-plainly.ts";
import type { Schema } from "./schema.ts";

/**
 * Checks what somebody gave to a function of the package, at run time, where no compiler has seen to it. Of options, a name
 * that is not known is refused as well: it would go unseen.
 * @param call the function, for the message
 * @param argument what the value is called there
 * @param schema a strict object where names are to be known
 * @throws InvalidInputError naming argument or field, and the rule; it never holds a value
 */
export function checkCall(call: string, argument: string, schema: Schema, value: unknown): void {
  readPlainly(call, argument, () => {
    // Said first: what is missing may be there, misspelled.
    if (isStrict(schema) && isRecord(value)) checkOptionNames(call, Object.keys(schema.shape), value);
    checkInput(call, schema, value, argument);
  });
}

/** Makes the schema of what can be called. */
export const aFunctionGiven = () => z.custom<unknown>((value) => typeof value === "function", "a function");

/** Makes the schema of what has functions of these names, whatever else it is. */
export const anObjectWith = (rule: string, ...names: readonly string[]) =>
  z.custom<unknown>(
    (value) =>
      Object(value) === value &&
      names.every((name) => typeof Reflect.get(Object(value), name) === "function"),
    rule,
  );

/** Makes the schema of what tells: `console` is one. */
export const aLogGiven = () =>
  anObjectWith(
    "an object with the functions debug, info, warn and error, such as console",
    ...["debug", "info", "warn", "error"],
  );

/** Tells an object that takes no other names from all else. */
function isStrict(schema: Schema): schema is z.ZodMiniObject {
  return schema instanceof z.ZodMiniObject && schema.def.catchall instanceof z.ZodMiniNever;
}
