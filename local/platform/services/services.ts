import type { JsonObject } from "../json.ts";
import type { App } from "../store/apps.ts";
import type { AppData, Database } from "../store/database.ts";
import type { Reaction } from "../store/message-marks.ts";
import type { Message, Verdict } from "../store/messages.ts";
import type { User } from "../store/users.ts";
import type { DeliveryTarget } from "../store/webhooks.ts";
import type { Background } from "./background.ts";
import type { Clock } from "./clock.ts";
import type { QuestionKind, RecordBus, Redactor } from "./records.ts";

import type { Switches } from "./switches.ts";

export type Services = {
  db: Database;
  clock: Clock;
  records: RecordBus;
  redactor: Redactor;
  outbox: Outbox;
  switches: Switches;
  /** Listeners are chosen where the platform is created. */
  announce: Announce;
  /** Judges new messages. */
  moderate: Moderator;
  /** Asks customers' servers and waits for their answer. */
  ask: Ask;
  /** What goes on after the request that caused it. */
  background: Background;
};

/** Every request to an app is one. */
export type AppServices = Services &
  AppData & {
    app: App;
    /** Sends an event to the app's webhooks, as `Outbox.emit` does. */
    emit(trigger: string, data: JsonObject, options?: EmitOptions): void;
    /** A client library acts, not a request to the REST API. */
    isClient?: boolean;
  };

export function servicesOf(services: Services, app: App): AppServices {
  const emit: AppServices["emit"] = (...event) => services.outbox.emit(app, ...event);
  return { ...services, app, appId: app.appId, emit };
}

/** Calls the listeners one after the other. */
type Announce = <What extends keyof Occurrences>(app: App, what: What, detail: Occurrences[What]) => void;

/**
 * Judges a new message before it is stored; it has its id already. `undefined` means that no rule looks at
 * it, which leaves the message without `data.moderation`.
 */
type Moderator = (services: AppServices, message: Message) => Promise<Verdict | undefined>;

/** Unix seconds, the unit of nearly all wire timestamps. */
export function nowSeconds(services: Pick<Services, "clock">): number {
  return Math.floor(services.clock.now() / 1_000);
}

/** In the order of calls. */
export type Listeners = {
  readonly [What in keyof Occurrences]: readonly Listener<What>[];
};

/** Called in the transaction of the occurrence. */
type Listener<What extends keyof Occurrences> = (services: AppServices, detail: Occurrences[What]) => void;

/** `services` must be complete when it is called. */
export function createAnnounce(listeners: Listeners, services: () => Services): Announce {
  return (app, what, detail) => {
    const appServices = servicesOf(services(), app);
    for (const listen of listeners[what]) listen(appServices, detail);
  };
}

/** Other folders listen to these. */
export type Occurrences = {
  /** Holds only its keys yet. */
  appCreated: object;
  /** Or dropped; `verdict` is undefined if no rule applied. */
  messageStored: { message: Message; verdict: Verdict | undefined; isClient?: boolean | undefined };
  /** `verdict` as above. */
  messageEdited: { message: Message; verdict: Verdict | undefined };
  /** The action message describes the change. */
  membershipChanged: { action: Message };
  /** A user reacted to a message, and had not reacted so before. */
  reactionAdded: { message: Message; reaction: Reaction; by: User };
  /** One party of a phone call acted. */
  phoneCallSignalled: PhoneCallSignal;
};

/**
 * With the uids to notify.
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
   * One delivery per webhook of the app's active engine. The legacy engine gets its own form, if it has one.
   */
  emit(app: App, trigger: string, data: JsonObject, options?: EmitOptions): void;
  /**
   * For a bot or a notification provider.
   * @returns undefined if a fault dropped it
   */
  deliver(app: App, delivery: DirectDelivery): number | undefined;
  /**
   * Stores and sends a delivery once more, as it was. Returns the new one's id; undefined where there is no
   * such delivery, or a fault took it away.
   */
  repeat(deliveryId: number): number | undefined;
  /** Takes up what the database says is pending, after a start or a restore. */
  resume(): void;
  /** Forgets timers and waiting work, and ignores attempts in flight. What is stored stays pending. */
  pause(): void;
  /** Begins the next attempt at once; false if none waits. */
  hasten(deliveryId: number): boolean;
  /** Future retries do not count. */
  idle(): Promise<void>;
};

/** Fields for the envelope's top level, and the legacy engine's form. */
export type EmitOptions = { extra?: JsonObject; legacy?: LegacyEvent };

/** To an address that is no webhook. */
export type DirectDelivery = { name: string; trigger: string; body: JsonObject; target: DeliveryTarget };

/** `subscription`: the subscribed trigger, if not the event's name; `origin`: the interface of the cause. */
export type LegacyEvent = {
  subscription?: string;
  trigger: string;
  data: JsonObject;
  origin: "API" | "WEBSOCKET";
};

/** Asks a customer's server and waits for its answer. */
export type Ask = (question: Question) => Promise<Answer>;

/** `kind` and `target` name it in the records. */
type Question = {
  appId: string;
  kind: QuestionKind;
  target: string;
  url: string;
  /** Basic authentication; none when undefined. */
  credentials: { username: string; password: string } | undefined;
  /** A text goes as it is. */
  body: JsonObject | string | undefined;
  timeoutMs: number;
} & Pick<OutgoingRequest, "method" | "headers" | "maxCharacters" | "isWhole">;

export type OutgoingRequest = {
  url: string;
  body: string | undefined;
  authorization: string | undefined;
  timeoutMs: number;
  /** Default: that of webhooks. */
  contentType?: string | undefined;
  /** Default: POST. */
  method?: string | undefined;
  /** Further ones. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Of the answer, where it is cut. Default: 64 KB. */
  maxCharacters?: number | undefined;
  /** Whether the answer so far is enough. Default: it ends with the connection. */
  isWhole?: ((text: string) => boolean) | undefined;
};

/** `json` is undefined unless the answer was 2xx with a JSON object. */
export type Answer = {
  status: number | undefined;
  error: string | undefined;
  isTimeout: boolean;
  text: string;
  json: JsonObject | undefined;
  atMs: number;
};
