import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import { checkInput } from "./check-input.ts";
import { checkOptionNames, readPlainly } from "./check-plain.ts";
import type { Schema } from "./schema.ts";

/**
 * Serves callers without type checks. A strict `schema` also refuses unknown names.
 * @throws InvalidInputError naming argument or field, and the rule, never the value
 */
export function checkCall(call: string, argument: string, schema: Schema, value: unknown): void {
  readPlainly(call, argument, () => {
    // A misspelled name may be the missing field.
    if (isStrict(schema) && isRecord(value)) checkOptionNames(call, Object.keys(schema.shape), value);
    checkInput(call, schema, value, argument);
  });
}

export const aFunctionGiven = () => z.custom<unknown>((value) => typeof value === "function", "a function");

export const anObjectWith = (rule: string, ...names: readonly string[]) =>
  z.custom<unknown>(
    (value) =>
      Object(value) === value &&
      names.every((name) => typeof Reflect.get(Object(value), name) === "function"),
    rule,
  );

export const aLogGiven = () =>
  anObjectWith(
    "an object with the functions debug, info, warn and error, such as console",
    ...["debug", "info", "warn", "error"],
  );

function isStrict(schema: Schema): schema is z.ZodMiniObject {
  return schema instanceof z.ZodMiniObject && schema.def.catchall instanceof z.ZodMiniNever;
}
