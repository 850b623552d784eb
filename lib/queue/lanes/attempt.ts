import type { Log } from "../../base/log.ts";
import type { AppHealth } from "../../effects/health/app-health.ts";
import type { SendDeadLetter } from "../send-dead-letter.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { LaneStore } from "./lane-store.ts";
import type { PauseWait } from "./pause-wait.ts";
import type { Progress } from "./progress.ts";
import type { SendTicket, Ticket } from "./ticket.ts";

export type DeadLetterReason = "permanent" | "tries" | "deaths" | "patience" | "too-old";

export type AttemptOutcome =
  | { readonly kind: "done" }
  /**
   * Retried from `wakeAt` on, in milliseconds since 1970; its lane waits. With `room`, it waits with other
   * lanes for the end of that outage instead (outage-room.ts).
   */
  | {
      readonly kind: "wait";
      readonly progress: Progress;
      readonly wakeAt: number;
      readonly room?: string;
    }
  | {
      readonly kind: "dead-letter";
      readonly progress: Progress;
      readonly reason: DeadLetterReason;
      readonly cause: string;
    };

/** A message of a lane, passed to one attempt. */
export interface Attempt {
  readonly record: LaneRecord;
  readonly laneId: string;
  /** Its app, if known, and its lane. */
  readonly ticket: Ticket;
  /** The parsed body; undefined if it is not JSON. */
  readonly message: unknown;
  readonly progress: Progress;
  readonly health: AppHealth;
  /**
   * The event comes directly from its queue: only parked events probe whether a failing destination is
   * healthy again.
   */
  readonly isFresh?: boolean;
  /** Tries of a step before it is dead-lettered. Default: `maxTries`. */
  readonly maxTries?: number;
  /** Milliseconds since 1970: when the event's maximum wait began (`LaneHead`). */
  readonly since: number;
  /** Milliseconds since 1970: when its lane's trouble began (`ParkedLane`). */
  readonly laneSince: number;
}

/** Tries to handle one event within `eventLimitMs`. Never throws: failures become outcomes. */
export type AttemptEvent = (attempt: Attempt) => Promise<AttemptOutcome>;

/** Maximum time of one event. The function's time-out leaves room for this and what follows. */
export const eventLimitMs = 30_000;

export interface LaneServices {
  readonly attemptEvent: AttemptEvent;
  readonly store: LaneStore;
  readonly sendTicket: SendTicket;
  readonly pauseWait: PauseWait;
  readonly sendDeadLetter: SendDeadLetter;
  readonly log: Log;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Maximum wait of an event, in milliseconds, for causes that are not its own fault (`Attempt.since`). */
  readonly maxWaitMs: number;
  readonly token: () => string;
}
