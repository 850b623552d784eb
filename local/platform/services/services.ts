import type { Database } from "../store/database.ts";
import type { Moderator } from "../store/verdict.ts";
import type { Caller } from "../webhooks/create-asker.ts";
import type { Outbox } from "../webhooks/create-outbox.ts";
import type { Clock } from "./clock.ts";
import type { RecordBus } from "./records.ts";
import type { Redactor } from "./redact.ts";
import type { Switches } from "./switches.ts";

/** What every handler may use. */
export type Services = {
  db: Database;
  clock: Clock;
  records: RecordBus;
  redactor: Redactor;
  outbox: Outbox;
  switches: Switches;
  /** Judges new messages. */
  moderate: Moderator;
  /** Calls customers' servers and waits for what they answer. */
  caller: Caller;
};

/** Gives the platform's time in unix seconds, the unit of nearly all wire timestamps. */
export function nowSeconds(services: Pick<Services, "clock">): number {
  return Math.floor(services.clock.now() / 1_000);
}
