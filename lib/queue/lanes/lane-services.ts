import type { Log } from "../../base/log.ts";
import type { Bury } from "../bury.ts";
import type { AttemptEvent } from "./attempt.ts";
import type { LaneStore } from "./lane-store.ts";
import type { PauseWait } from "./pause-wait.ts";
import type { SendTicket } from "./ticket.ts";

/** What running a lane needs, parked or not. */
export interface LaneServices {
  readonly attemptEvent: AttemptEvent;
  readonly store: LaneStore;
  readonly sendTicket: SendTicket;
  readonly pauseWait: PauseWait;
  readonly bury: Bury;
  readonly log: Log;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Maximum wait of an event, in milliseconds, for causes that are not its own fault (`Attempt.since`). */
  readonly patienceMs: number;
  /** Returns a unique text. */
  readonly token: () => string;
}
