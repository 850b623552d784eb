import type { Count } from "../../base/count-metric.ts";
import type { Log } from "../../base/log.ts";
import type { AppHealth } from "../../effects/health/app-health.ts";
import type { SendDeadLetter } from "../send-dead-letter.ts";
import type { Holds } from "./holds.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { LaneStore } from "./lane-store.ts";
import type { Progress } from "./progress.ts";
import type { SendTicket, Ticket } from "./ticket.ts";

export type DeadLetterReason = "permanent" | "tries" | "deaths" | "patience" | "too-old";

export type AttemptOutcome =
  | { readonly kind: "done" }
  /**
   * The event is tried again from `wakeAt` on, and its lane waits. With `room`, it waits until that outage
   * ends.
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

export interface Attempt {
  readonly record: LaneRecord;
  readonly ticket: Ticket;
  readonly message: unknown;
  readonly progress: Progress;
  readonly health: AppHealth;
  /** True if the event comes straight from its queue. Only parked events probe a failing destination. */
  readonly isFresh?: boolean;
  /** True if the lane was parked when the batch was read, and another process resumed it meanwhile. */
  readonly wasParked?: boolean;
  readonly maxTries: number;
  /** After a crash: records the step that begins. @throws as the lane store */
  readonly noteStep?: ((step: string) => Promise<unknown>) | undefined;
  readonly since: number;
  readonly laneSince: number;
}

/**
 * Makes one attempt at an event, of `eventLimitMs` at most. Never throws: failures become outcomes.
 * Implemented by lib/handle/attempt-event.ts.
 */
export type AttemptEvent = (attempt: Attempt) => Promise<AttemptOutcome>;

export const eventLimitMs = 30_000;

export interface LaneServices {
  readonly attemptEvent: AttemptEvent;
  readonly store: LaneStore;
  readonly sendTicket: SendTicket;
  readonly holds: Holds;
  readonly sendDeadLetter: SendDeadLetter;
  readonly noteWait: NoteWait;
  readonly log: Log;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly maxWaitMs: number;
  readonly token: () => string;
}

const longMs = 3_600_000;

/** Called for what still waits, and since when. */
export type NoteWait = (appId: string, sinceMs: number) => void;

/**
 * Counts waits of more than an hour, once a minute per app: a queue's age does not show them all. Keeps
 * each app id in memory.
 */
export function createNoteWait({
  count,
  now,
}: {
  readonly count: Count;
  readonly now: () => number;
}): NoteWait {
  const countedIn = new Map<string, number>();
  return (appId, sinceMs) => {
    const minute = Math.floor(now() / 60_000);
    if (!(now() > sinceMs + longMs) || countedIn.get(appId) === minute) return;
    countedIn.set(appId, minute);
    count("LanesWaitLong", { appId });
  };
}
