import type * as z from "zod/mini";
import { AwsError } from "./aws-error.ts";

/** What a service knows of its caller. */
export interface AwsCaller {
  readonly region: string;
  /** The invocation of a local function that makes the call, if one does. */
  readonly invocation?: string | undefined;
}

/** Takes the body of a request and returns the body of the answer. */
export type AwsOperation = (input: unknown, caller: AwsCaller) => object;

/**
 * Makes an operation that parses its input.
 * @param invalidCode the code of the error for an input that does not match the schema
 */
export function defineOperation<Input>(
  invalidCode: string,
  schema: z.ZodMiniType<Input>,
  run: (input: Input, caller: AwsCaller) => object,
): AwsOperation {
  return (input, caller) => run(parseInput(invalidCode, schema, input), caller);
}

/** @throws AwsError if the input does not match the schema; its message quotes no value */
export function parseInput<Input>(invalidCode: string, schema: z.ZodMiniType<Input>, input: unknown): Input {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw new AwsError(
    invalidCode,
    `The request's ${problem?.path.join(".") || "body"} is invalid: ${problem?.message}.`,
  );
}
