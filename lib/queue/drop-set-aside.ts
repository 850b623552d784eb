import { describeError } from "../base/describe-error.ts";
import type { HeldMessage, HeldQueue, Hold } from "./held-queue.ts";
import { HoldOverError } from "./hold-over-error.ts";
import { countUnseen, type LookOptions, mostHolds, takeAll } from "./look-through.ts";
import { createSelectionTally, type SelectionCounts } from "./selection-counts.ts";
import { isSelected, type Selection, type SetAside } from "./set-aside.ts";

/** Reads the messages of one kind of queue before they are dropped. */
export interface DropKind<Facts extends SetAside> {
  read(message: HeldMessage): Facts;
  /** True if deleting this message may reveal more of its lane. */
  mayHideOthers(facts: Facts): boolean;
}

export interface DropOptions extends LookOptions {
  readonly selection?: Selection;
  /** Only counts. Default: false. */
  readonly rehearse?: boolean;
}

export interface DropReport extends SelectionCounts {
  readonly isRehearsal: boolean;
  /** The selected ids; those of a rehearsal can be passed as `ids`. */
  readonly ids: readonly string[];
  readonly dropped: readonly string[];
  /**
   * Approximate number of messages that could not be read: held by another reader, or behind one that was not
   * selected.
   */
  readonly unseen: number;
  /** Why it ended early. The remaining messages are unchanged; a repetition continues. */
  readonly failure: string | undefined;
}

/**
 * Deletes the selected messages and returns the others to the queue, in rounds like a replay. May die at any
 * point, be repeated, or run twice concurrently: only the reader that holds a message deletes it.
 * @throws AwsCallError if the queue cannot be read
 */
export async function dropSetAside<Facts extends SetAside>(
  queue: HeldQueue,
  { read, mayHideOthers }: DropKind<Facts>,
  { selection = {}, rehearse = false, most = mostHolds, signal, onProgress }: DropOptions,
  { now }: { readonly now: () => number },
): Promise<DropReport> {
  const tally = createSelectionTally();
  const holds = new Set<Hold>();
  const ids: string[] = [];
  const dropped: string[] = [];
  let picked: Picked[] = [];
  let looked = 0;
  let unseen = 0;
  let failure: string | undefined;
  const tell = () => onProgress?.({ looked, done: dropped.length });

  const look = (message: HeldMessage, hold: Hold) => {
    looked += 1;
    tell();
    const facts = read(message);
    if (!isSelected(facts, selection)) return;
    tally.count(facts);
    ids.push(facts.id);
    picked.push({ id: facts.id, hold, mayHideOthers: mayHideOthers(facts) });
  };

  try {
    for (;;) {
      const isAll = await takeAll(queue, holds, look, most, signal);
      unseen = await countUnseen(queue, holds);
      if (rehearse) break;
      const round = picked;
      picked = [];
      await deleteAll(round);
      const mayBeMore = !isAll || round.some((one) => one.mayHideOthers);
      if (failure !== undefined || round.length === 0 || !mayBeMore) break;
    }
  } finally {
    await queue.returnToQueue([...holds]);
  }
  return { isRehearsal: rehearse, ...tally.counts(), ids, dropped, unseen, failure };

  async function deleteAll(round: readonly Picked[]): Promise<void> {
    const waiting = round.values();
    const work = async () => {
      for (const one of waiting) {
        if (failure !== undefined) return;
        await deleteOne(one).catch((error: unknown) => {
          failure ??= describeError(error);
        });
      }
    };
    await Promise.all(Array.from({ length: deletedAtATime }, work));
  }

  async function deleteOne({ id, hold }: Picked): Promise<void> {
    signal?.throwIfAborted();
    // Another reader may hold it now and replay it.
    if (now() >= hold.heldUntil) throw new HoldOverError();
    await queue.delete(hold);
    holds.delete(hold);
    dropped.push(id);
    tell();
  }
}

interface Picked {
  readonly id: string;
  readonly hold: Hold;
  readonly mayHideOthers: boolean;
}

const deletedAtATime = 10;
