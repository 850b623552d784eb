export interface Invocation {
  /** What the function returned or, after an error, `{errorMessage, errorType, trace}`. */
  payload: unknown;
  /** `Unhandled` if the function threw or timed out. */
  functionError?: string;
  durationMs: number;
}

/**
 * Calls a function through the Lambda Invoke API and waits for its answer.
 * @throws Error if the endpoint cannot be reached or has no such function
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export async function invokeFunction(request: {
  lambdaUrl: string;
  functionName: string;
  payload: unknown;
  signal?: AbortSignal;
}): Promise<Invocation> {
  const { lambdaUrl, functionName, payload, signal } = request;
  const startedAt = performance.now();
  const response = await fetch(`${lambdaUrl}/2015-03-31/functions/${functionName}/invocations`, {
    method: "POST",
    body: JSON.stringify(payload),
    ...(signal && { signal }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`Invoking ${functionName} was answered ${response.status}: ${text.slice(0, 300)}`);
  }
  const functionError = response.headers.get("x-amz-function-error");
  return {
    payload: parseOrText(text),
    ...(functionError !== null && { functionError }),
    durationMs: performance.now() - startedAt,
  };
}

function parseOrText(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
