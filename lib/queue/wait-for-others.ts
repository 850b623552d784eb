import { countOf } from "../base/count-of.ts";
import { OwnError } from "../base/errors.ts";
import { type HeldQueue, holdSecondsFor } from "./held-queue.ts";

/** Replayed messages would overtake those that another reader holds. */
export class QueueBusyError extends OwnError {
  override readonly name = "QueueBusyError";

  constructor(messages: number, holdSeconds: number) {
    super(
      `Another reader holds about ${countOf(messages, "message")} of the queue: another replay is running, or one was ` +
        `interrupted. Held messages are released automatically, within ${Math.ceil(holdSeconds / 60)} min at most.`,
    );
  }
}

const pauseMs = 5_000;
/** A small replay that died hides messages for two minutes, and counts may be a minute late. */
const longestMs = 180_000;

export async function waitForOthers(
  queue: Pick<HeldQueue, "depth">,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const depth = await queue.depth();
    if (depth.taken === 0) return;
    if (waitedMs >= longestMs) throw new QueueBusyError(depth.taken, holdSecondsFor(depth));
    await sleep(pauseMs);
  }
}
