import type { AppHealth } from "../health/app-health.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { Progress } from "./progress.ts";

/** Why an event is buried. */
export type BurialReason = "permanent" | "tries" | "deaths" | "patience" | "too-old";

/** What became of an attempt at an event. */
export type AttemptOutcome =
  | { readonly kind: "done" }
  /** It is tried again from `wakeAt` on, in milliseconds since 1970; its lane waits. */
  | { readonly kind: "wait"; readonly progress: Progress; readonly wakeAt: number }
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
  /** The message's body, parsed; undefined where it is no JSON. */
  readonly message: unknown;
  readonly progress: Progress;
  readonly health: AppHealth;
}

/** Tries to handle one event within `eventLimitMs`. Never throws: every failure becomes an outcome. */
export type AttemptEvent = (attempt: Attempt) => Promise<AttemptOutcome>;

/** What one event may take, in milliseconds; the function's time-out leaves room for this and what follows. */
export const eventLimitMs = 30_000;
