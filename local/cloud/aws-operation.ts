import type * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";
import { AwsError, unknownOperation } from "./aws-error.ts";

export interface AwsCaller {
  readonly region: string;
  readonly invocation?: string | undefined;
}

export type AwsOperation<Caller = AwsCaller> = (input: unknown, caller: Caller) => object;

/** @param invalidCode code for invalid input */
export function defineOperation<Input, Caller = AwsCaller>(
  invalidCode: string,
  schema: z.ZodMiniType<Input>,
  run: (input: Input, caller: Caller) => object,
): AwsOperation<Caller> {
  return (input, caller) => run(parseInput(invalidCode, schema, input), caller);
}

export function findOperation<Caller>(
  operations: ReadonlyMap<string, AwsOperation<Caller>>,
  name: string,
  unknownCode?: string,
): AwsOperation<Caller> {
  const found = operations.get(name);
  if (found) return found;
  throw unknownOperation(name, unknownCode);
}

/** @throws AwsError if the body is not JSON */
export function readJsonBody(body: string): unknown {
  const parsed = parseJson(body);
  if (parsed !== undefined) return parsed;
  throw new AwsError("SerializationException", "The request body is not JSON.");
}

/** @throws AwsError if the input is invalid; its message quotes no value */
export function parseInput<Input>(invalidCode: string, schema: z.ZodMiniType<Input>, input: unknown): Input {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  throw new AwsError(
    invalidCode,
    `The request's ${problem?.path.join(".") || "body"} is invalid: ${problem?.message}.`,
  );
}
