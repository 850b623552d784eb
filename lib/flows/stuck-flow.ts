import { type DurableExecutionInvocationOutput, InvocationStatus } from "@aws/durable-execution-sdk-js";
import { withResolvers } from "../base/on-node-20.ts";

export const neverEnds = "The flow awaits something that never ends, outside of a step.";
export const outOfTime =
  "a flow's invocation has no time left: outside of a step, it may await something that never ends";
const marginMs = 500;
const lookEveryMs = 1_000;

/**
 * Ends an invocation in which nothing can happen any more. Its own timer keeps the event loop from becoming
 * empty: Lambda's runtime would end the invocation as failed, and Lambda invoke the flow again.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client
 */
export async function unlessStuck(
  handled: Promise<DurableExecutionInvocationOutput>,
  leftMs: number,
  onOutOfTime: () => void,
): Promise<DurableExecutionInvocationOutput> {
  const { promise: stuck, resolve } = withResolvers<DurableExecutionInvocationOutput>();
  let idle = 0;
  const look = setInterval(() => {
    idle = isIdle() ? idle + 1 : 0;
    if (idle === 2) resolve({ Status: InvocationStatus.FAILED, Error: { ErrorMessage: neverEnds } });
  }, lookEveryMs);
  const timer = setTimeout(onOutOfTime, leftMs - marginMs).unref();
  try {
    return await Promise.race([handled, stuck]);
  } finally {
    clearTimeout(timer);
    clearInterval(look);
  }
}

/** Nothing is awaited but this module's own timer, and no parent process may send a message. */
function isIdle() {
  if (process.send !== undefined) return false;
  const awaited = process.getActiveResourcesInfo().filter((name) => !/^(TTY|Pipe)Wrap$/.test(name));
  return awaited.length === 1 && awaited[0] === "Timeout";
}
