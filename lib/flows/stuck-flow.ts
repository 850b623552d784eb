import { type DurableExecutionInvocationOutput, InvocationStatus } from "@aws/durable-execution-sdk-js";
import { withResolvers } from "../base/on-node-20.ts";

export const neverEnds = "The flow awaits something that never ends, outside of a step.";
export const outOfTime =
  "a flow's invocation has no time left: outside of a step, it may await something that never ends";
const marginMs = 500;

/** Fails a flow that cannot continue. */
export async function unlessStuck(
  handled: Promise<DurableExecutionInvocationOutput>,
  leftMs: number,
  onOutOfTime: () => void,
): Promise<DurableExecutionInvocationOutput> {
  const { promise: stuck, resolve } = withResolvers<DurableExecutionInvocationOutput>();
  const onEmptyLoop = () => resolve({ Status: InvocationStatus.FAILED, Error: { ErrorMessage: neverEnds } });
  const timer = setTimeout(onOutOfTime, leftMs - marginMs).unref();
  const isWatched = process.listenerCount("beforeExit") < process.getMaxListeners();
  if (isWatched) process.once("beforeExit", onEmptyLoop);
  try {
    return await Promise.race([handled, stuck]);
  } finally {
    clearTimeout(timer);
    process.off("beforeExit", onEmptyLoop);
  }
}
