import type { Log } from "../../base/log.ts";
import type { SendDeadLetter } from "../send-dead-letter.ts";
import type { AttemptEvent } from "./attempt.ts";
import type { LaneStore } from "./lane-store.ts";
import type { PauseWait } from "./pause-wait.ts";
import type { SendTicket } from "./ticket.ts";

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
  readonly patienceMs: number;
  readonly token: () => string;
}
