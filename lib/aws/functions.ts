import * as z from "zod/mini";
import type { AwsCaller } from "./aws-call.ts";
import { callLambda } from "./call-lambda.ts";

/**
 * Calls a function and returns its answer, or its error as `{errorType, errorMessage}`.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * @throws AwsCallError
 */
export function invokeFunction(
  callAws: AwsCaller,
  functionName: string,
  input: Readonly<Record<string, unknown>>,
  options: { readonly timeoutMs: number; readonly isRepeatable?: boolean },
): Promise<unknown> {
  return callAws({
    service: "lambda",
    target: "Lambda.Invoke",
    input,
    ...options,
    rest: {
      method: "POST",
      path: `/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
      headers: { "x-amz-invocation-type": "RequestResponse" },
    },
  });
}

const configurationSchema = z.object({
  Environment: z.optional(z.object({ Variables: z.optional(z.record(z.string(), z.string())) })),
});

/**
 * Returns the function's environment variables; none of them is secret.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html
 * @throws AwsCallError
 */
export async function readFunctionSettings(
  callAws: AwsCaller,
  functionName: string,
): Promise<Readonly<Record<string, string>>> {
  const path = `/2015-03-31/functions/${encodeURIComponent(functionName)}/configuration`;
  const answer = await callLambda(callAws, "GetFunctionConfiguration", { method: "GET", path });
  return configurationSchema.parse(answer).Environment?.Variables ?? {};
}
