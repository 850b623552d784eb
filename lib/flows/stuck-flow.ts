import { type DurableExecutionInvocationOutput, InvocationStatus } from "@aws/durable-execution-sdk-js";
import { withResolvers } from "../base/on-node-20.ts";

export const neverEnds = "The flow awaits something that never ends, outside of a step.";
export const outOfTime =
  "a flow's invocation has no time left: outside of a step, it may await something that never ends";
const marginMs = 500;

/** Of this process's invocations: a test runs several at once. */
const endings = new Set<() => void>();

function onEmptyLoop() {
  for (const end of endings) end();
}

export async function unlessStuck(
  handled: Promise<DurableExecutionInvocationOutput>,
  leftMs: number,
  onOutOfTime: () => void,
): Promise<DurableExecutionInvocationOutput> {
  const { promise: stuck, resolve } = withResolvers<DurableExecutionInvocationOutput>();
  const end = () => resolve({ Status: InvocationStatus.FAILED, Error: { ErrorMessage: neverEnds } });
  const timer = setTimeout(onOutOfTime, leftMs - marginMs).unref();
  if (endings.size === 0) process.on("beforeExit", onEmptyLoop);
  endings.add(end);
  try {
    return await Promise.race([handled, stuck]);
  } finally {
    clearTimeout(timer);
    endings.delete(end);
    if (endings.size === 0) process.off("beforeExit", onEmptyLoop);
  }
}
