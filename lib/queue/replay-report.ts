import type { SelectionCounts } from "./set-aside.ts";
import type { WorkOutcome } from "./work-off.ts";

export interface ReplayReport extends SelectionCounts, WorkOutcome {
  readonly isRehearsal: boolean;
  /** Received more than 30 days ago: they stay, the consumer would dead-letter them. */
  readonly tooOld: number;
  /** Skipped by a trigger as too old: they stay unless their age is ignored. */
  readonly passedOver: number;
  /** They stay. */
  readonly unreadable: number;
  readonly replayable: number;
  readonly replayed: number;
  readonly note: string;
}

export const replayNote =
  "Replayed events keep their order among themselves, not with others: they are handled after all events of their conversation " +
  "that were handled meanwhile or are waiting already. Texts are sent unchanged, also those that mention a time " +
  '("within a few minutes"). Finished effects of an event are not repeated; what a trigger does without `effects` is.';
