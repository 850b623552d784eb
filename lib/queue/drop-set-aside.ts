import type { HeldMessage, HeldQueue } from "./held-queue.ts";
import {
  createSelectionTally,
  isSelected,
  type Selection,
  type SelectionCounts,
  type SetAside,
} from "./set-aside.ts";
import { type WorkOptions, type WorkOutcome, workOff } from "./work-off.ts";

export interface DropKind<Facts extends SetAside> {
  read(message: HeldMessage): Facts;
  mayHideOthers(facts: Facts): boolean;
}

export interface DropOptions extends WorkOptions {
  readonly selection?: Selection;
}

export interface DropReport extends SelectionCounts, WorkOutcome {
  readonly isRehearsal: boolean;
  readonly ids: readonly string[];
  readonly dropped: readonly string[];
}

/**
 * As `workOff`: only a message's holder deletes it.
 * @throws AwsCallError if the queue cannot be read
 */
export async function dropSetAside<Facts extends SetAside>(
  queue: HeldQueue,
  { read, mayHideOthers }: DropKind<Facts>,
  options: DropOptions,
  { now }: { readonly now: () => number },
): Promise<DropReport> {
  const { selection = {}, rehearse: isRehearsal = false } = options;
  const tally = createSelectionTally();
  const ids: string[] = [];
  const select = (message: HeldMessage) => {
    const facts = read(message);
    if (!isSelected(facts, selection, message.body)) return undefined;
    tally.count(facts);
    ids.push(facts.id);
    return { facts, lane: facts.id, mayHideOthers: mayHideOthers(facts) };
  };
  const { done: dropped, unseen, failure } = await workOff(queue, select, options, now);
  return { isRehearsal, ...tally.counts(), ids, dropped, unseen, failure };
}
