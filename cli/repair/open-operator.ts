import type { OperatorServices } from "../../lib/queue/operator-services.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";

/** Gives what the operator's work on a stage's queues needs. @throws CliError where the stage lacks a queue */
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
    // The one thing that is waited for: that nobody else has messages of the queue.
    sleep: async (ms) => {
      out.progress("waits until nobody else has messages of the queue");
      await sleep(ms, signal);
      signal.throwIfAborted();
    },
    token,
  };
}

/** Tells how far a look is, for every tenth message: a few are no long work. */
export function tellLooked(looked: number, text: string, out: Output): void {
  if (looked % 10 === 0) out.progress(text);
}

/** Tells how far the work is, for every tenth message. */
export function tellDone(done: number, text: string, out: Output): void {
  if (done > 0 && done % 10 === 0) out.progress(text);
}
