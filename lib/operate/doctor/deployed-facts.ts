import * as z from "zod/mini";
import type { AwsCaller } from "../../aws/aws-call.ts";
import { isRecord } from "../../base/json.ts";

const neededBySchema = z.record(z.string(), z.array(z.string()));

/** What the deployed code says of itself. */
export const deployedFactsSchema = z.object({
  /** Every app that the deployment serves. */
  appIds: z.array(z.string()),
  /** The triggers that are turned on, and whether they were deployed to only show what they would do. */
  triggers: z.array(z.object({ name: z.string(), isShadowed: z.boolean() })),
  /** The names of all flows. */
  flows: z.array(z.string()),
  /** Which of the platform's triggers are needed (lib/operate/doctor/needed-triggers.ts), once for all apps that need the same. */
  needs: z.array(
    z.object({
      appIds: z.array(z.string()),
      webhook: neededBySchema,
      elsewhere: neededBySchema,
      everything: z.array(z.string()),
    }),
  ),
  /** The apps that have a canary, with its users. */
  canaries: z.array(z.object({ appId: z.string(), sender: z.string(), receiver: z.string() })),
});

export type DeployedFacts = z.infer<typeof deployedFactsSchema>;

/** What the function `doctor` is asked for them with. */
export const factsRequest = { ask: "facts" } as const;

/** Thrown where the function answers with something else: the deployed code is another version's. */
export class UnknownFactsError extends Error {
  override readonly name = "UnknownFactsError";

  constructor(functionName: string) {
    super(
      `The function ${functionName} does not say what is deployed: it failed, or another version is deployed. Look at its log, and deploy again.`,
    );
  }
}

/**
 * Asks the deployed function `doctor` what the deployed code needs and serves. May be repeated.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 * @throws UnknownFactsError, AwsCallError when Lambda refuses or gives no answer
 */
export async function readDeployedFacts(callAws: AwsCaller, functionName: string): Promise<DeployedFacts> {
  const answer = await callAws({
    service: "lambda",
    target: "Lambda.Invoke",
    input: factsRequest,
    timeoutMs: coldStartMs,
    rest: {
      method: "POST",
      path: `/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
      headers: { "x-amz-invocation-type": "RequestResponse" },
    },
  });
  const facts = deployedFactsSchema.safeParse(answer);
  if (facts.success) return facts.data;
  throw new UnknownFactsError(functionName);
}

/** A function that was not used for a while has to be loaded first. */
const coldStartMs = 20_000;

/** Tells whether the function was asked for the facts. */
export function asksForFacts(event: unknown): boolean {
  return isRecord(event) && event.ask === factsRequest.ask;
}
