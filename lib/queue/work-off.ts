import { mapConcurrently } from "../base/batching.ts";
import { describeError } from "../base/describe-error.ts";
import { OwnError } from "../base/errors.ts";
import {
  type HeldMessage,
  type HeldQueue,
  type Hold,
  holdSecondsFor,
  leastHoldSeconds,
  mostHoldSeconds,
  mostHolds,
  mostTaken,
} from "./held-queue.ts";
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
  /** Aborting returns held messages. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: WorkProgress) => void) | undefined;
  /** Called before held messages are returned: 100,000 take minutes. */
  readonly onReturn?: ((count: number) => void) | undefined;
  /** The number of messages held at a time. Default: 100,000. */
  readonly most?: number;
}

export interface WorkOutcome {
  /**
   * About how many messages were held by another reader, or hidden behind one that is or was not selected.
   */
  readonly unseen: number;
  /** Why it ended early. A repetition continues. */
  readonly failure: string | undefined;
}

interface HeldItem extends WorkItem {
  readonly hold: Hold;
  readonly sequence: string;
}

/** @returns undefined for a message that stays */
type Select = (message: HeldMessage, isFirstRound: boolean) => WorkItem | undefined;

interface Run extends Pick<WorkOptions, "signal" | "onProgress"> {
  readonly queue: HeldQueue;
  readonly select: Select;
  readonly isDone: () => boolean;
  readonly rehearse: boolean;
  readonly most: number;
  readonly holds: Set<Hold>;
  readonly done: string[];
  items: HeldItem[];
  looked: number;
  failure: string | undefined;
  holdSeconds: number;
  extendAt: number;
}

const lanesAtATime = 10;
/**
 * Works in rounds: reads all visible messages, works off the selected ones (lanes concurrently, each in
 * order), returns the others, and reads again while more may be hidden. Repeatable, also after a crash, and
 * may run twice at once.
 * @param isDone whether no further message can be selected
 * @throws AwsCallError
 */
export async function workOff(
  queue: HeldQueue,
  select: Select,
  { rehearse = false, most = mostHolds, signal, onProgress, onReturn }: WorkOptions,
  isDone: () => boolean,
): Promise<WorkOutcome & { readonly done: readonly string[] }> {
  const holdSeconds = rehearse ? leastHoldSeconds : holdSecondsFor(await queue.depth(), most);
  const extendAt = queue.now() + holdSeconds * 500;
  const state = { holds: new Set<Hold>(), done: [], items: [], looked: 0, failure: undefined };
  const options = { select, isDone, rehearse, most, signal, onProgress, holdSeconds, extendAt };
  const run: Run = { queue, ...options, ...state };
  let unseen = 0;
  try {
    for (let isFirstRound = true; ; isFirstRound = false) {
      const isAll = await takeAll(run, isFirstRound);
      unseen = isDone() ? 0 : await countUnseen(run);
      if (rehearse) break;

      const lanes = [...Map.groupBy(run.items, ({ lane }) => lane).values()].map(splitLane);
      const ready = lanes.map((lane) => lane.ready);
      run.items = lanes.flatMap(({ later }) => later);
      const before = run.done.length;
      await mapConcurrently(ready, lanesAtATime, (lane) => workLane(lane, run));
      if (run.failure !== undefined || run.done.length === before) break;
      if (isAll && !ready.flat().some(({ mayHideOthers }) => mayHideOthers)) break;
    }
  } finally {
    onReturn?.(run.holds.size);
    await queue.returnToQueue([...run.holds]);
  }
  return { done: run.done, unseen, failure: run.failure };
}

async function countUnseen({ queue, holds }: Run) {
  const { free, taken } = await queue.depth();
  return Math.max(0, free + taken - holds.size);
}

/** Returns false if too many are held. Records holds before it reads, which may fail. */
async function takeAll(run: Run, isFirstRound: boolean) {
  const { queue, select, isDone, rehearse, holds, items, done, most, signal, onProgress } = run;
  // A long poll finds what the queue's count does not include yet.
  let waits = isFirstRound || (await queue.depth()).free > 0;
  while (holds.size < most && !isDone()) {
    signal?.throwIfAborted();
    if (rehearse) await extendHolds(run);
    const messages = await queue.take(waits, run.holdSeconds);
    if (messages.length === 0) return true;
    // The bodies of 100,000 messages would not fit into memory.
    const taken = messages.map((message) => ({ message, hold: toHold(message) }));
    for (const { hold } of taken) holds.add(hold);
    for (const { message, hold } of taken) {
      const item = select(message, isFirstRound);
      // An item holds its message's body until it is sent.
      if (item !== undefined && !rehearse) items.push({ ...item, hold, sequence: message.sequence });
      run.looked += 1;
      onProgress?.({ looked: run.looked, done: done.length });
    }
    if (messages.length < mostTaken) waits = (await queue.depth()).free > 0;
  }
  return isDone();
}

/**
 * Doubles a look's holds at their half: one that dies after a minute hides its messages for 4 min, one that
 * dies after 15 min for 32.
 */
async function extendHolds(run: Run) {
  const { queue, holds, signal } = run;
  if (queue.now() < run.extendAt) return;
  run.holdSeconds = Math.min(run.holdSeconds * 2, mostHoldSeconds);
  run.extendAt = queue.now() + run.holdSeconds * 500;
  await queue.extend([...holds], run.holdSeconds, signal);
  signal?.throwIfAborted();
}

/** Ends the run at the first failure: later messages must not be replayed before it. */
async function workLane(lane: readonly HeldItem[], run: Run) {
  for (const item of lane) {
    if (run.failure !== undefined) return;
    await workOne(item, run).catch((error: unknown) => {
      run.failure ??= describeError(error);
    });
  }
}

async function workOne({ facts, hold, send }: HeldItem, run: Run) {
  const { queue, holds, done, signal, onProgress } = run;
  signal?.throwIfAborted();
  if (queue.now() >= hold.heldUntil) throw new HoldOverError();
  await send?.();
  await queue.delete(hold);
  holds.delete(hold);
  done.push(facts.id);
  onProgress?.({ looked: run.looked, done: done.length });
}

/**
 * Sorts by receipt: a message that was dead-lettered again lies behind later ones. Messages received after
 * one that may hide others wait for the next round.
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
