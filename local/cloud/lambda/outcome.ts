export interface Outcome {
  /**
   * `failed`: the handler threw, or the function could not be loaded. `throttled`: the function's reserved
   * concurrency is used up. `exited`: the process ended during the invocation: on its own, killed, or out of
   * memory.
   */
  readonly kind: "answered" | "failed" | "timedOut" | "throttled" | "exited";
  readonly body: string;
  /** Undefined if no process received it. */
  readonly requestId?: string | undefined;
}

export const throttled: Outcome = { kind: "throttled", body: '{"message":"Rate Exceeded."}' };

/** Returns Lambda's answer for a process that has ended. */
export function writeRuntimeError(requestId: string, errorType: string, text: string): string {
  return JSON.stringify({ errorType, errorMessage: `RequestId: ${requestId} Error: ${text}` });
}

export function describeEnd(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === "SIGKILL") return "Runtime exited with error: signal: killed";
  if (signal === "SIGABRT") return "Runtime exited with error: signal: aborted";
  if (signal !== null) return `Runtime exited with error: signal: ${signal}`;
  return code === 0
    ? "Runtime exited without providing a reason"
    : `Runtime exited with error: exit status ${code}`;
}
