import { isRecord } from "../base/json.ts";
import type { AwsCaller, RestAddress } from "./aws-call.ts";

/**
 * Calls an operation of Lambda's API other than Invoke. Leaves out the null that answers have in place of an
 * absent member (seen live: `"NextMarker":null`).
 * @throws AwsCallError
 */
export async function callLambda(
  callAws: AwsCaller,
  operation: string,
  rest: RestAddress,
  input: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  return withoutNulls(await callAws({ service: "lambda", target: `Lambda.${operation}`, input, rest }));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(present.map(([name, inner]) => [name, withoutNulls(inner)]));
}
