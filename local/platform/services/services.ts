import type { App } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import type { Message } from "../store/messages.ts";
import type { Verdict } from "../store/verdict.ts";
import type { Clock } from "./clock.ts";
import type { Happenings } from "./happenings.ts";
import type { Outbox } from "./outbox.ts";
import type { Ask } from "./question.ts";
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
  /** Says what happened; who listens is decided where the platform is created. */
  announce: Announce;
  /** Judges new messages. */
  moderate: Moderator;
  /** Asks customers' servers and waits for their answer. */
  ask: Ask;
};

/** Tells all listeners what happened on an app, one after the other. */
export type Announce = <What extends keyof Happenings>(
  app: App,
  what: What,
  detail: Happenings[What],
) => void;

/**
 * Judges a new message before it is stored; it has its id already. `undefined` means that no rule looks at it, which
 * leaves the message without `data.moderation`.
 */
export type Moderator = (
  services: Services,
  app: App,
  message: Message,
) => Verdict | undefined | Promise<Verdict | undefined>;

/** Gives the platform's time in unix seconds, the unit of nearly all wire timestamps. */
export function nowSeconds(services: Pick<Services, "clock">): number {
  return Math.floor(services.clock.now() / 1_000);
}
