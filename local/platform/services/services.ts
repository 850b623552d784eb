import type { JsonObject } from "../json.ts";
import type { App } from "../store/apps.ts";
import type { AppData, Database } from "../store/database.ts";
import type { Message, Verdict } from "../store/messages.ts";
import type { Clock } from "./clock.ts";
import type { Happenings } from "./happenings.ts";
import type { EmitOptions, Outbox } from "./outbox.ts";
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

/** The services together with the app that something happens on. Every request to an app is one. */
export type AppServices = Services &
  AppData & {
    app: App;
    /** Sends an event to the app's webhooks, as `Outbox.emit` does. */
    emit(trigger: string, data: JsonObject, options?: EmitOptions): void;
  };

/** Returns the services for one app. */
export function servicesOf(services: Services, app: App): AppServices {
  const emit: AppServices["emit"] = (...event) => services.outbox.emit(app, ...event);
  return { ...services, app, appId: app.appId, emit };
}

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
  services: AppServices,
  message: Message,
) => Verdict | undefined | Promise<Verdict | undefined>;

/** Gives the platform's time in unix seconds, the unit of nearly all wire timestamps. */
export function nowSeconds(services: Pick<Services, "clock">): number {
  return Math.floor(services.clock.now() / 1_000);
}

/** Says who listens to what happens, in the order in which they are told. */
export type Listeners = {
  readonly [What in keyof Happenings]: readonly Listener<What>[];
};

/** Hears of one kind of happening, in the transaction in which it happens. */
export type Listener<What extends keyof Happenings> = (
  services: AppServices,
  detail: Happenings[What],
) => void;

/** Creates what tells the listeners; `services` gives what they work with, once it is complete. */
export function createAnnounce(listeners: Listeners, services: () => Services): Announce {
  return (app, what, detail) => {
    const appServices = servicesOf(services(), app);
    for (const listen of listeners[what]) listen(appServices, detail);
  };
}
