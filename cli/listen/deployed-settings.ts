import * as z from "zod/mini";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";

const configurationSchema = z.object({
  Environment: z.optional(z.object({ Variables: z.record(z.string(), z.string()) })),
});

/**
 * Reads a function's deployed environment variables; none of them is secret.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html
 * @throws AwsCallError
 */
export async function readDeployedSettings(
  callAws: AwsCaller,
  functionName: string,
): Promise<Readonly<Record<string, string>>> {
  const answer = await callAws({
    service: "lambda",
    target: "Lambda.GetFunctionConfiguration",
    input: {},
    rest: {
      method: "GET",
      path: `/2015-03-31/functions/${encodeURIComponent(functionName)}/configuration`,
    },
  });
  return configurationSchema.parse(answer).Environment?.Variables ?? {};
}
