import * as z from "zod/mini";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { CliError, wrongUse } from "../cli-error.ts";

/** The function's result for one app. */
export const appResultSchema = z.strictObject({
  appId: z.string(),
  handedOver: z.optional(
    z.strictObject({
      since: z.number(),
      until: z.number(),
      listed: z.number(),
      handedOver: z.number(),
      passedOver: z.number(),
      refused: z.number(),
      isComplete: z.boolean(),
    }),
  ),
  measured: z.optional(
    z.strictObject({
      hours: z.array(
        z.strictObject({
          hour: z.number(),
          listed: z.number(),
          received: z.number(),
          neverReceived: z.number(),
          neverReceivedAtMost: z.number(),
        }),
      ),
      isComplete: z.boolean(),
    }),
  ),
  error: z.optional(z.string()),
});

export type AppResult = z.infer<typeof appResultSchema>;

const answerSchema = z.object({
  rehearsal: z.boolean(),
  isComplete: z.boolean(),
  apps: z.array(appResultSchema),
});

const errorSchema = z.object({ errorType: z.string(), errorMessage: z.string() });

/** The function's own timeout (serverless.yml) and the round trip. */
const timeoutMs = 930_000;

/**
 * Runs the function `reconcile` once and waits for its answer, at most 15 minutes. May be repeated: what was
 * handed over before changes nothing.
 * @throws CliError if the function refuses the request, AwsCallError if Lambda does or gives no answer
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export async function runReconcile(
  callAws: AwsCaller,
  functionName: string,
  input: Readonly<Record<string, unknown>>,
): Promise<z.infer<typeof answerSchema>> {
  const answer = await callAws({
    service: "lambda",
    target: "Lambda.Invoke",
    input,
    timeoutMs,
    isRepeatable: false,
    rest: {
      method: "POST",
      path: `/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
      headers: { "x-amz-invocation-type": "RequestResponse" },
    },
  });
  const read = z.safeParse(answerSchema, answer);
  if (read.success) return read.data;
  const failed = z.safeParse(errorSchema, answer);
  throw toError(failed.success ? failed.data : { errorType: "", errorMessage: "" }, functionName);
}

function toError({ errorType, errorMessage }: z.infer<typeof errorSchema>, functionName: string): Error {
  if (errorType === "ReconcileRequestError")
    return wrongUse(errorMessage.replace(/ Write \{"since".*$/s, ""));
  if (errorType === "NothingCountedError") {
    return new CliError(
      "refused",
      "NOTHING_COUNTED",
      "Received messages are not recorded, so nothing can be compared.",
      "Set `reconcile: rehearse` for the stage in config/stages.yml and deploy; or hand everything over: --hand-over.",
    );
  }
  // The message holds the whole result (ReconcileFailedError): it includes the apps that succeeded.
  return new CliError(
    "partlyDone",
    "RECONCILE_FAILED",
    `${functionName} failed: ${errorMessage || "its answer cannot be read."}`,
    "Fix the causes and run it again. Its log: npx cometchat-functions logs --function reconcile",
  );
}
