import type { JsonObject } from "../json.ts";
import type { App } from "../store/apps.ts";
import type { AppData, Database } from "../store/database.ts";
import type { DeliveryTarget } from "../store/deliveries.ts";
import type { Reaction } from "../store/message-marks.ts";
import type { Message, Verdict } from "../store/messages.ts";
import type { User } from "../store/users.ts";
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
  /** Describes what happened; who listens is decided where the platform is created. */
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

/** Calls all listeners of an occurrence on an app, one after the other. */
type Announce = <What extends keyof Occurrences>(app: App, what: What, detail: Occurrences[What]) => void;

/**
 * Judges a new message before it is stored; it has its id already. `undefined` means that no rule looks at
 * it, which leaves the message without `data.moderation`.
 */
export type Moderator = (services: AppServices, message: Message) => Promise<Verdict | undefined>;

/** Returns the platform's time in unix seconds, the unit of nearly all wire timestamps. */
export function nowSeconds(services: Pick<Services, "clock">): number {
  return Math.floor(services.clock.now() / 1_000);
}

/** Lists the listeners of each occurrence, in the order in which they are called. */
export type Listeners = {
  readonly [What in keyof Occurrences]: readonly Listener<What>[];
};

/** Hears of one kind of happening, in the transaction in which it happens. */
type Listener<What extends keyof Occurrences> = (services: AppServices, detail: Occurrences[What]) => void;

/** Creates the function that calls the listeners; `services` returns the services once they are complete. */
export function createAnnounce(listeners: Listeners, services: () => Services): Announce {
  return (app, what, detail) => {
    const appServices = servicesOf(services(), app);
    for (const listen of listeners[what]) listen(appServices, detail);
  };
}

/** Names the occurrences that other folders listen to, with the details of each. */
export type Occurrences = {
  /** An app was made; it holds nothing but its keys yet. */
  appCreated: object;
  /**
   * A message was stored, or dropped, with what its moderation came to; `undefined` when no rule looked at
   * it.
   */
  messageStored: { message: Message; verdict: Verdict | undefined };
  /** A group's membership changed; the action message describes the change. */
  membershipChanged: { action: Message };
  /** A user reacted to a message, and had not reacted so before. */
  reactionAdded: { message: Message; reaction: Reaction; by: User };
  /** One party of a phone call did something. */
  phoneCallSignalled: PhoneCallSignal;
};

/**
 * What one party did in a phone call, and the uids of those who are to know.
 * @see docs/internals/platform/other-calls.md#notification-providers
 */
export type PhoneCallSignal = {
  message: Message;
  recipients: readonly string[];
  callAction: "initiated" | "cancelled" | "unanswered" | "ongoing" | "rejected" | "ended" | "busy";
  sessionId: string;
  callType: "audio" | "video";
};

/** Takes events in and carries them to the webhooks that subscribe to them. */
export type Outbox = {
  /**
   * Stores one delivery per webhook that the app's active engine has for the trigger, and starts sending. The
   * legacy engine gets its own form of the event, or nothing when it has none.
   */
  emit(app: App, trigger: string, data: JsonObject, options?: EmitOptions): void;
  /**
   * Stores and sends one delivery to an address that is no webhook: a bot's or a notification provider's.
   * Returns its id; undefined if a fault took it away.
   */
  deliver(app: App, delivery: DirectDelivery): number | undefined;
  /**
   * Stores and sends a delivery once more, as it was. Returns the new one's id; undefined where there is no
   * such delivery, or a fault took it away.
   */
  repeat(deliveryId: number): number | undefined;
  /** Takes up what the database says is pending, after a start or a restore. */
  resume(): void;
  /**
   * Forgets all timers and waiting work, and ignores how attempts in flight end. What is stored stays
   * pending.
   */
  pause(): void;
  /** Has a delivery's next attempt begin at once; false if it does not wait for its time. */
  hasten(deliveryId: number): boolean;
  /** Resolves when nothing is in flight or about to start; retries in the future do not count. */
  idle(): Promise<void>;
};

/**
 * Rarely needed parts of an event: fields for the envelope's top level, and its form on the legacy engine.
 */
export type EmitOptions = { extra?: JsonObject; legacy?: LegacyEvent };

/** What goes to an address that is no webhook. */
type DirectDelivery = { name: string; trigger: string; body: JsonObject; target: DeliveryTarget };

/**
 * One event of the legacy engine. `subscription` is the trigger it is subscribed by when that differs from
 * the name it carries; `origin` names the interface that the cause came in by.
 */
export type LegacyEvent = {
  subscription?: string;
  trigger: string;
  data: JsonObject;
  origin: "API" | "WEBSOCKET";
};

/** Asks a customer's server and waits for what it answers, where the answer decides something. */
export type Ask = (question: Question) => Promise<Answer>;

/** One question. `kind` and `target` name it in the records. */
type Question = {
  appId: string;
  kind: "before_message" | "custom_moderation";
  target: string;
  url: string;
  /** Basic authentication; none when undefined. */
  credentials: { username: string; password: string } | undefined;
  body: JsonObject;
  timeoutMs: number;
};

/** What came back. `json` is undefined unless the answer was 2xx with a JSON object. */
export type Answer = {
  status: number | undefined;
  error: string | undefined;
  isTimeout: boolean;
  text: string;
  json: JsonObject | undefined;
  atMs: number;
};
