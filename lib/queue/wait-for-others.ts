import type { HeldQueue } from "./held-queue.ts";

/** Thrown when somebody else has messages of a queue in his hands: what is brought back now would come before those. */
export class QueueBusyError extends Error {
  override readonly name = "QueueBusyError";

  constructor(messages: number) {
    super(
      `About ${messages} messages of the queue are in somebody else's hands: another replay is running, or one was ` +
        "interrupted. Those are free again by themselves; try again in some minutes.",
    );
  }
}

const pauseMs = 5_000;
/** What is left of a small replay that died is free after two minutes; the queue's counts may be a minute late. */
const longestMs = 180_000;

/** Waits until nobody has messages of a queue in his hands, for three minutes at most. @throws QueueBusyError */
export async function waitForOthers(queue: HeldQueue, sleep: (ms: number) => Promise<void>): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    const { taken } = await queue.depth();
    if (taken === 0) return;
    if (waitedMs >= longestMs) throw new QueueBusyError(taken);
    await sleep(pauseMs);
  }
}
