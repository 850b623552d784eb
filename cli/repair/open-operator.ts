import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import type { LookOptions } from "../../lib/queue/set-aside-queue.ts";
import type { WorkContext } from "../command.ts";
import type { Output } from "../output.ts";

/** @throws CliError if the stage lacks a queue */
export async function openOperator({
  target,
  edges: { now, sleep, token, signal },
  out,
}: WorkContext): Promise<OperatorServices> {
  const { physicalId } = await target.stack();
  return {
    callAws: target.callAws,
    queueUrls: {
      events: physicalId("EventsQueue"),
      calls: physicalId("CallsQueue"),
      parkedLanes: physicalId("ParkedLanesQueue"),
      deadLetters: physicalId("DeadLetterQueue"),
      quarantine: physicalId("QuarantineQueue"),
    },
    now,
    // Only until no other process holds messages of the queue.
    sleep: async (ms) => {
      out.progress("waiting until no other process has messages of the queue");
      await sleep(ms, signal);
      signal.throwIfAborted();
    },
    token,
  };
}

/** Every tenth message: a few take no time. */
export function lookingThrough(signal: AbortSignal, out: Output, of = ""): LookOptions {
  return {
    signal,
    onProgress: ({ looked }) => {
      if (looked % 10 === 0) out.progress(`looked at ${looked}${of}`);
    },
  };
}
