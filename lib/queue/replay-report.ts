import { createSelectionTally, type SelectionCounts } from "./selection-counts.ts";
import type { SetAside } from "./set-aside.ts";

/** What a replay came to, or would. */
export interface ReplayReport extends SelectionCounts {
  readonly isRehearsal: boolean;
  /** Received more than 30 days ago: they stay, as the consumer would bury them at once. */
  readonly tooOld: number;
  /** Passed over by a trigger as too old: they stay unless their age is ignored. */
  readonly passedOver: number;
  /** Nothing can be made of them: they stay. */
  readonly unreadable: number;
  /** The rest of those that were picked. */
  readonly replayable: number;
  readonly replayed: number;
  /** About how many messages could not be looked at: in somebody else's hands, or behind one that was not picked. */
  readonly unseen: number;
  /** Why it ended before everything was brought back. What is left is where it was; repeating it goes on. */
  readonly failure: string | undefined;
  /** What a replay cannot keep, for whoever starts one. */
  readonly note: string;
}

/** What a replay cannot keep, whoever runs it. */
export const replayNote =
  "What is replayed keeps its order among itself, not with the rest: it is handled after everything of its conversation " +
  "that was handled meanwhile or is waiting already. Its texts are sent as they are, also those that speak of time " +
  '("within a few minutes"). What was done for an event is not done again; what a trigger does without `effects` is.';

/** A replay's counts while it runs. */
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
