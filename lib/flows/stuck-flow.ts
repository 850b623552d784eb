import { type DurableExecutionInvocationOutput, InvocationStatus } from "@aws/durable-execution-sdk-js";
import { withResolvers } from "../base/on-node-20.ts";

export const neverEnds = "The flow awaits something that never ends, outside of a step.";
export const outOfTime =
  "a flow's invocation has no time left: outside of a step, it may await something that never ends";
const marginMs = 500;

const running = new Set<() => void>();

/**
 * Ends an invocation in which nothing can happen any more: the event loop is empty. Meanwhile it takes other
 * listeners away: Lambda's runtime would end the invocation as failed, and Lambda invoke the flow again.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client
 */
export async function unlessStuck(
  handled: Promise<DurableExecutionInvocationOutput>,
  leftMs: number,
  onOutOfTime: () => void,
): Promise<DurableExecutionInvocationOutput> {
  const { promise: stuck, resolve } = withResolvers<DurableExecutionInvocationOutput>();
  const end = () => resolve({ Status: InvocationStatus.FAILED, Error: { ErrorMessage: neverEnds } });
  const others = process.listeners("beforeExit").filter((listener) => listener !== endAll);
  process.removeAllListeners("beforeExit").on("beforeExit", endAll);
  running.add(end);
  const timer = setTimeout(onOutOfTime, leftMs - marginMs).unref();
  try {
    return await Promise.race([handled, stuck]);
  } finally {
    clearTimeout(timer);
    running.delete(end);
    for (const listener of others) process.on("beforeExit", listener);
  }
}

function endAll(): void {
  for (const end of running) end();
}
