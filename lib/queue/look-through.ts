import type { HeldMessage, HeldQueue, Hold } from "./held-queue.ts";
import { isSelected, type Selection, type SetAside } from "./set-aside.ts";

export interface Found<Facts extends SetAside> {
  /** In the order in which they were set aside. */
  readonly found: readonly Facts[];
  /** About how many messages could not be looked at: somebody else has them, or they lie behind one that nobody may take. */
  readonly unseen: number;
}

/** How far a run is. */
export interface LookProgress {
  /** Messages that were looked at. */
  readonly looked: number;
  /** Messages that were brought back or dropped. */
  readonly done: number;
}

export interface LookOptions {
  /** Ends the run when it is aborted; what was taken is given back. */
  readonly signal?: AbortSignal | undefined;
  /** Hears after each message. Default: nobody. */
  readonly onProgress?: ((progress: LookProgress) => void) | undefined;
  /** How many messages are held at a time. Default: 100,000. */
  readonly most?: number;
}

/**
 * Looks through a whole queue for messages, and gives all of them back. Changes nothing.
 * @throws AwsCallError when the queue gives no answer; what was taken is given back even so
 */
export async function lookThrough<Facts extends SetAside>(
  queue: HeldQueue,
  read: (message: HeldMessage) => Facts,
  selection: Selection,
  { signal, onProgress, most = mostHolds }: LookOptions = {},
): Promise<Found<Facts>> {
  const holds = new Set<Hold>();
  const found: Facts[] = [];
  try {
    let looked = 0;
    const look = (message: HeldMessage) => {
      const facts = read(message);
      if (isSelected(facts, selection)) found.push(facts);
      looked += 1;
      onProgress?.({ looked, done: 0 });
    };
    await takeAll(queue, holds, look, most, signal);
    const unseen = await countUnseen(queue, holds);
    return { found: found.toSorted((one, other) => one.setAsideAt - other.setAsideAt), unseen };
  } finally {
    await queue.giveBack([...holds]);
  }
}

/** SQS lets nobody have more than 120,000 messages of a queue at a time; some are left for others. */
export const mostHolds = 100_000;

/**
 * Takes messages until none is free, or too many are held; false tells of the latter. What is taken is held at the end,
 * also when it throws, so that it can be given back.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html
 */
export async function takeAll(
  queue: HeldQueue,
  holds: Set<Hold>,
  look: (message: HeldMessage, hold: Hold) => void,
  most = mostHolds,
  signal?: AbortSignal,
): Promise<boolean> {
  while (holds.size < most) {
    signal?.throwIfAborted();
    const messages = await queue.take();
    if (messages.length === 0) return true;
    // First all are held, then looked at, which may fail. A hold alone: bodies of 100,000 messages would not fit into memory.
    const taken = messages.map((message) => ({ message, hold: toHold(message) }));
    for (const { hold } of taken) holds.add(hold);
    for (const { message, hold } of taken) look(message, hold);
  }
  return false;
}

/** Counts about how many messages the queue has beyond those that are held. Meant for the end of taking. */
export async function countUnseen(queue: HeldQueue, holds: ReadonlySet<Hold>): Promise<number> {
  const { free, taken } = await queue.depth();
  return Math.max(0, free + taken - holds.size);
}

function toHold({ receiptHandle, heldUntil }: HeldMessage): Hold {
  return { receiptHandle, heldUntil };
}
