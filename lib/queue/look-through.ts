import type { HeldMessage, HeldQueue, Hold } from "./held-queue.ts";
import { isSelected, type Selection, type SetAside } from "./set-aside.ts";

export interface Found<Facts extends SetAside> {
  /** In the order in which they were dead-lettered or quarantined. */
  readonly found: readonly Facts[];
  /** Approximate number of messages that could not be read: held by another reader, or behind one that is. */
  readonly unseen: number;
}

export interface LookProgress {
  /** Messages read. */
  readonly looked: number;
  /** Messages replayed or dropped. */
  readonly done: number;
}

export interface LookOptions {
  /** Aborts the run; held messages are returned to the queue. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each message. */
  readonly onProgress?: ((progress: LookProgress) => void) | undefined;
  /** Maximum messages held at a time. Default: 100,000. */
  readonly most?: number;
}

/**
 * Reads a whole queue and returns all messages to it. Changes nothing.
 * @throws AwsCallError if the queue does not answer; held messages are returned even then
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
    await queue.returnToQueue([...holds]);
  }
}

/** SQS allows 120,000 messages of a queue in flight; some are left for other readers. */
export const mostHolds = 100_000;

/**
 * Receives messages until none is visible or too many are held; returns false in the latter case. `holds` is
 * complete even if it throws, so that the messages can be returned.
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
    // Records all holds before reading, which may fail. Holds only: bodies of 100,000 messages would not fit
    // into memory.
    const taken = messages.map((message) => ({ message, hold: toHold(message) }));
    for (const { hold } of taken) holds.add(hold);
    for (const { message, hold } of taken) look(message, hold);
  }
  return false;
}

/**
 * Returns approximately how many messages the queue has beyond those that are held. For use after receiving.
 */
export async function countUnseen(queue: HeldQueue, holds: ReadonlySet<Hold>): Promise<number> {
  const { free, taken } = await queue.depth();
  return Math.max(0, free + taken - holds.size);
}

function toHold({ receiptHandle, heldUntil }: HeldMessage): Hold {
  return { receiptHandle, heldUntil };
}
