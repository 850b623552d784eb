import { tooManyRequests } from "./aws-error.ts";
import type { LambdaService } from "./lambda/lambda-service.ts";

export interface Invocation {
  /** After an error, `{errorType, errorMessage, trace}`. */
  payload: unknown;
  functionError?: string;
  /** Same as in log lines. */
  requestId?: string | undefined;
  durationMs: number;
}

/** @throws Error if there is no such function, AwsError if it is throttled */
export async function invokeFunction(
  lambda: Pick<LambdaService, "invoke">,
  functionKey: string,
  payload: unknown,
): Promise<Invocation> {
  const startedAt = performance.now();
  const { kind, body, requestId } = await lambda.invoke(functionKey, JSON.stringify(payload));
  if (kind === "throttled") throw tooManyRequests;
  const answer: unknown = JSON.parse(body);
  return {
    payload: answer,
    ...(kind !== "answered" && { functionError: "Unhandled" }),
    ...(requestId !== undefined && { requestId }),
    durationMs: performance.now() - startedAt,
  };
}
