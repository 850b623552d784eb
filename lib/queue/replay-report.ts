import { createSelectionTally, type SelectionCounts } from "./selection-counts.ts";
import type { SetAside } from "./set-aside.ts";

export interface ReplayReport extends SelectionCounts {
  readonly isRehearsal: boolean;
  /** Received more than 30 days ago: they stay, because the consumer would dead-letter them immediately. */
  readonly tooOld: number;
  /** Skipped by a trigger as too old: they stay unless their age is ignored. */
  readonly passedOver: number;
  /** Unreadable: they stay. */
  readonly unreadable: number;
  readonly replayable: number;
  readonly replayed: number;
  /**
   * Approximate number of messages that could not be read: held by another reader, or behind one that was not
   * selected.
   */
  readonly unseen: number;
  /** Why it ended early. The remaining messages are unchanged; a repetition continues. */
  readonly failure: string | undefined;
  /** What a replay cannot keep, for the operator. */
  readonly note: string;
}

export const replayNote =
  "Replayed events keep their order among themselves, not with others: they are handled after all events of their conversation " +
  "that were handled meanwhile or are waiting already. Texts are sent unchanged, also those that mention a time " +
  '("within a few minutes"). Finished effects of an event are not repeated; what a trigger does without `effects` is.';

export interface ReplayTally {
  count(message: SetAside, kind: "replayable" | "tooOld" | "passedOver" | "unreadable"): void;
  replayed: number;
  unseen: number;
  failure: string | undefined;
  report(): ReplayReport;
}

export function createReplayTally(isRehearsal: boolean): ReplayTally {
  const counts = { replayable: 0, tooOld: 0, passedOver: 0, unreadable: 0 };
  const selection = createSelectionTally();
  const tally: ReplayTally = {
    replayed: 0,
    unseen: 0,
    failure: undefined,
    count: (message, kind) => {
      counts[kind] += 1;
      selection.count(message);
    },
    report: () => ({
      isRehearsal,
      ...selection.counts(),
      ...counts,
      replayed: tally.replayed,
      unseen: tally.unseen,
      failure: tally.failure,
      note: replayNote,
    }),
  };
  return tally;
}
