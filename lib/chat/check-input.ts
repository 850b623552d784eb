import * as z from "zod/mini";
import { readPlainly, typeNameOf } from "./check-plain.ts";
import { InvalidInputError } from "./errors.ts";
import type { Schema } from "./schema.ts";

/**
 * @param whole name of the whole value in messages; empty for the input
 * @throws InvalidInputError with operation, field and rule, never the value
 */
export function checkInput<Output>(
  operation: string,
  schema: Schema<Output>,
  value: unknown,
  whole = "",
): Output {
  return readPlainly(operation, whole, () => {
    const result = z.safeParse(schema, value, inNoLanguage);
    if (result.success) return result.data;
    throw toInputError(operation, result.error.issues, value, whole);
  });
}

/** Global zod messages (`z.config`, or full zod) may quote values. */
const inNoLanguage = { error: () => "" };

/** Options often put into the input by mistake. */
const optionNames = ["onBehalfOf", "signal", "timeoutMs", "deadlineMs", "alreadyDone", "maxTries", "headers"];

function toInputError(
  operation: string,
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  whole: string,
): InvalidInputError {
  const unknown = issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));
  const stray = optionNames.find((name) => whole === "" && unknown.includes(name));
  if (stray !== undefined) {
    return new InvalidInputError(operation, stray, "among the options, which come after the input");
  }
  const [issue] = issues;
  const path = issue?.path ?? [];
  const at = path.reduce((inner: unknown, name) => Reflect.get(Object(inner), name), value);
  const field = path.map(String).join(".") || whole;
  return new InvalidInputError(operation, field, ruleOf(issue, at), at === undefined);
}

function ruleOf(issue: z.core.$ZodIssue | undefined, at: unknown): string {
  if (issue?.message) return issue.message;
  switch (issue?.code) {
    case "invalid_type":
      if (issue.expected === "nonoptional") return "given";
      return `of type ${issue.expected}${at === undefined ? "" : `, not ${typeNameOf(at)}`}`;
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    case "too_big":
      return `at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "too_small":
      return `at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "unrecognized_keys":
      return `without the unknown field ${issue.keys.join(", ")}`;
    case "invalid_union":
      return issue.errors.map(([first]) => ruleOf(first, undefined)).join(" or ") || "valid";
    default:
      return "valid";
  }
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}
