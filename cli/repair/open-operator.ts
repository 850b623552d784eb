import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";

/** Returns what work on a stage's queues needs. @throws CliError if the stage lacks a queue */
export async function openOperator(
  { callAws, stack }: Pick<Target, "callAws" | "stack">,
  { now, sleep, token, signal }: CliEdges,
  out: Output,
): Promise<OperatorServices> {
  const { physicalId } = await stack();
  return {
    callAws,
    queueUrls: {
      events: physicalId("EventsQueue"),
      calls: physicalId("CallsQueue"),
      parkedLanes: physicalId("ParkedLanesQueue"),
      deadLetters: physicalId("DeadLetterQueue"),
      quarantine: physicalId("QuarantineQueue"),
    },
    now,
    // The only wait: until no other process holds messages of the queue.
    sleep: async (ms) => {
      out.progress("waiting until no other process has messages of the queue");
      await sleep(ms, signal);
      signal.throwIfAborted();
    },
    token,
  };
}

/** Reports the progress of a look, for every tenth message: a few take no time. */
export function reportLooked(looked: number, text: string, out: Output): void {
  if (looked % 10 === 0) out.progress(text);
}

/** Reports the progress of the work, for every tenth message. */
export function reportDone(done: number, text: string, out: Output): void {
  if (done > 0 && done % 10 === 0) out.progress(text);
}
