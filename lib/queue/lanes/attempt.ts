import type { AppHealth } from "../../effects/health/app-health.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { Progress } from "./progress.ts";
import type { Ticket } from "./ticket.ts";

/** Why an event is buried. */
export type BurialReason = "permanent" | "tries" | "deaths" | "patience" | "too-old";

/** What became of an attempt at an event. */
export type AttemptOutcome =
  | { readonly kind: "done" }
  /**
   * It is tried again from `wakeAt` on, in milliseconds since 1970; its lane waits. `room` names the outage for the end of which
   * it waits together with other lanes, instead (outage-room.ts).
   */
  | {
      readonly kind: "wait";
      readonly progress: Progress;
      readonly wakeAt: number;
      readonly room?: string;
    }
  | {
      readonly kind: "bury";
      readonly progress: Progress;
      readonly reason: BurialReason;
      readonly cause: string;
    };

/** A message of a lane, handed to one attempt. */
export interface Attempt {
  readonly record: LaneRecord;
  readonly laneId: string;
  /** Its app, as far as the queue told, and its lane. */
  readonly ticket: Ticket;
  /** The message's body, parsed; undefined where it is no JSON. */
  readonly message: unknown;
  readonly progress: Progress;
  readonly health: AppHealth;
  /** The event comes from its queue just now: whether a destination that fails is healthy again, those find out that wait for it. */
  readonly isFresh?: boolean;
  /** Tries of a step before it is dead-lettered. Default: `maxTries`. */
  readonly maxTries?: number;
  /** Milliseconds since 1970: when the event's maximum wait began (`LaneHead`). */
  readonly since: number;
  /** Milliseconds since 1970: when its lane's trouble began (`ParkedLane`). */
  readonly laneSince: number;
}

/** Tries to handle one event within `eventLimitMs`. Never throws: every failure becomes an outcome. */
export type AttemptEvent = (attempt: Attempt) => Promise<AttemptOutcome>;

/** What one event may take, in milliseconds; the function's time-out leaves room for this and what follows. */
export const eventLimitMs = 30_000;
