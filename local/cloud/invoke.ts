import type { LambdaService } from "./lambda/lambda-service.ts";

export interface Invocation {
  /** What the function returned or, after an error, `{errorType, errorMessage, trace}`. */
  payload: unknown;
  /** `Unhandled` if the function threw, timed out or ended. */
  functionError?: string;
  /** AWS's id of the invocation, as the function's lines have it. */
  requestId?: string | undefined;
  durationMs: number;
}

/**
 * Runs a function and waits for its answer.
 * @throws Error if there is no such function
 */
export async function invokeFunction(
  lambda: Pick<LambdaService, "invoke">,
  functionKey: string,
  payload: unknown,
): Promise<Invocation> {
  const startedAt = performance.now();
  const { kind, body, requestId } = await lambda.invoke(functionKey, JSON.stringify(payload));
  const answer: unknown = JSON.parse(body);
  return {
    payload: answer,
    ...(kind !== "answered" && { functionError: "Unhandled" }),
    ...(requestId !== undefined && { requestId }),
    durationMs: performance.now() - startedAt,
  };
}
