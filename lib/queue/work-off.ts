import { describeError } from "../base/describe-error.ts";
import { OwnError } from "../base/own-error.ts";
import { sideBySide } from "../base/side-by-side.ts";
import type { HeldMessage, HeldQueue, Hold } from "./held-queue.ts";
import type { SetAside } from "./set-aside.ts";

/** Another reader may hold the messages by now. */
export class HoldOverError extends OwnError {
  override readonly name = "HoldOverError";

  constructor() {
    super("The time was over for which the messages are held. Run it again for the rest.");
  }
}

export interface WorkItem {
  readonly facts: SetAside;
  readonly lane: string;
  readonly mayHideOthers: boolean;
  send?(): Promise<void>;
}

export interface WorkProgress {
  readonly looked: number;
  readonly done: number;
}

export interface WorkOptions {
  /** Only counts. Default: false. */
  readonly rehearse?: boolean;
  /** Held messages are then returned to the queue. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: WorkProgress) => void) | undefined;
  /** Held at a time. Default: 100,000. */
  readonly most?: number;
}

export interface WorkOutcome {
  /** About how many could not be read: held by another reader, or behind one that is or was not selected. */
  readonly unseen: number;
  /** Why it ended early: the rest is unchanged, a repetition continues. */
  readonly failure: string | undefined;
}

interface HeldItem extends WorkItem {
  readonly hold: Hold;
  readonly sequence: string;
}

const lanesAtATime = 10;
/**
 * SQS allows 120,000 in flight; some are left for other readers.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html
 */
const mostHolds = 100_000;

/**
 * In rounds: reads all visible messages, works off the selected ones (lanes concurrently, each in order),
 * returns the others, and reads again while more may be hidden. May die, be repeated, or run twice
 * concurrently.
 * @param select returns undefined for a message that stays
 * @throws AwsCallError if the queue cannot be read
 */
export async function workOff(
  queue: HeldQueue,
  select: (message: HeldMessage, isFirstRound: boolean) => WorkItem | undefined,
  { rehearse = false, most = mostHolds, signal, onProgress }: WorkOptions,
  now: () => number,
): Promise<WorkOutcome & { readonly done: readonly string[] }> {
  const holds = new Set<Hold>();
  const done: string[] = [];
  let items: HeldItem[] = [];
  let looked = 0;
  let unseen = 0;
  let failure: string | undefined;
  const report = () => onProgress?.({ looked, done: done.length });

  /** Until none is visible; false if too many are held. Records holds before reading, which may fail. */
  const takeAll = async (isFirstRound: boolean): Promise<boolean> => {
    while (holds.size < most) {
      signal?.throwIfAborted();
      const messages = await queue.take();
      if (messages.length === 0) return true;
      // Holds only: bodies of 100,000 messages would not fit into memory.
      const taken = messages.map((message) => ({ message, hold: toHold(message) }));
      for (const { hold } of taken) holds.add(hold);
      for (const { message, hold } of taken) {
        const item = select(message, isFirstRound);
        if (item !== undefined) items.push({ ...item, hold, sequence: message.sequence });
        looked += 1;
        report();
      }
    }
    return false;
  };
  const workOne = async ({ facts, hold, send }: HeldItem): Promise<void> => {
    signal?.throwIfAborted();
    if (now() >= hold.heldUntil) throw new HoldOverError();
    await send?.();
    await queue.delete(hold);
    holds.delete(hold);
    done.push(facts.id);
    report();
  };
  /** The first failure ends the run: later messages of the lane must not be replayed before it. */
  const workLane = async (lane: readonly HeldItem[]): Promise<void> => {
    for (const item of lane) {
      if (failure !== undefined) return;
      await workOne(item).catch((error: unknown) => {
        failure ??= describeError(error);
      });
    }
  };

  try {
    for (let isFirstRound = true; ; isFirstRound = false) {
      const isAll = await takeAll(isFirstRound);
      const { free, taken } = await queue.depth();
      unseen = Math.max(0, free + taken - holds.size);
      if (rehearse) break;

      const lanes = [...Map.groupBy(items, ({ lane }) => lane).values()].map(splitLane);
      const ready = lanes.map((lane) => lane.ready);
      items = lanes.flatMap(({ later }) => later);
      const before = done.length;
      await sideBySide(ready, lanesAtATime, workLane);
      if (failure !== undefined || done.length === before) break;
      if (isAll && !ready.flat().some(({ mayHideOthers }) => mayHideOthers)) break;
    }
  } finally {
    await queue.returnToQueue([...holds]);
  }
  return { done, unseen, failure };
}

/**
 * By receipt: a message replayed alone and dead-lettered again lies behind later ones. If the queue may hide
 * messages behind one of these, messages received after it wait for the next round.
 */
function splitLane(lane: readonly HeldItem[]) {
  const sorted = lane.toSorted(
    (one, other) =>
      (one.facts.receivedAt ?? 0) - (other.facts.receivedAt ?? 0) ||
      one.facts.setAsideAt - other.facts.setAsideAt ||
      one.sequence.localeCompare(other.sequence),
  );
  const last = sorted.findLastIndex(({ mayHideOthers }) => mayHideOthers);
  const end = last < 0 ? sorted.length : last + 1;
  return { ready: sorted.slice(0, end), later: sorted.slice(end) };
}

function toHold({ receiptHandle, heldUntil }: HeldMessage): Hold {
  return { receiptHandle, heldUntil };
}
