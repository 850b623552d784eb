import { describeError } from "../base/describe-error.ts";
import type { HeldMessage, HeldQueue, Hold } from "./held-queue.ts";
import { HoldOverError } from "./hold-over-error.ts";
import { countUnseen, type LookOptions, mostHolds, takeAll } from "./look-through.ts";
import { createSelectionTally, type SelectionCounts } from "./selection-counts.ts";
import { isSelected, type Selection, type SetAside } from "./set-aside.ts";

/** How the messages of one kind of queue are read before they are dropped. */
export interface DropKind<Facts extends SetAside> {
  read(message: HeldMessage): Facts;
  /** True where the queue may have more of the lane, which it hands out when this message is deleted. */
  mayHideOthers(facts: Facts): boolean;
}

export interface DropOptions extends LookOptions {
  readonly selection?: Selection;
  /** Only counts. Default: false. */
  readonly rehearse?: boolean;
}

/** What a run that drops came to, or would. */
export interface DropReport extends SelectionCounts {
  readonly isRehearsal: boolean;
  /** Those that were picked: in a rehearsal what to pass as `ids`. */
  readonly ids: readonly string[];
  /** Those that are gone for good. */
  readonly dropped: readonly string[];
  /** About how many messages could not be looked at: in somebody else's hands, or behind one that was not picked. */
  readonly unseen: number;
  /** Why it ended before everything was dropped. What is left is where it was; repeating it goes on. */
  readonly failure: string | undefined;
}

/**
 * Deletes what is picked, and gives the rest back. Works in rounds as a replay does. May die at any point and be repeated, or
 * run twice at once: whoever has a message in hand is the one who deletes it.
 * @throws AwsCallError when the queue cannot be looked through
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
    await queue.giveBack([...holds]);
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
    // Whoever has it by now may be replaying it.
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
