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
  latencyClock: Clock;
  records: RecordBus;
  redactor: Redactor;
  outbox: Outbox;
  switches: Switches;
  announce: Announce;
  moderate: Moderator;
  ask: Ask;
  background: Background;
};

export type AppServices = Services &
  AppData & {
    app: App;
    emit(trigger: string, data: JsonObject, options?: EmitOptions): void;
    isClient?: boolean;
  };

export function servicesOf(services: Services, app: App): AppServices {
  const emit: AppServices["emit"] = (...event) => services.outbox.emit(app, ...event);
  return { ...services, app, appId: app.appId, emit };
}

type Announce = <What extends keyof Occurrences>(app: App, what: What, detail: Occurrences[What]) => void;

/** Returns undefined if no rule applies; the message then has no `data.moderation`. */
type Moderator = (services: AppServices, message: Message) => Promise<Verdict | undefined>;

export function nowSeconds(services: Pick<Services, "clock">): number {
  return Math.floor(services.clock.now() / 1_000);
}

export type Listeners = {
  readonly [What in keyof Occurrences]: readonly Listener<What>[];
};

type Listener<What extends keyof Occurrences> = (services: AppServices, detail: Occurrences[What]) => void;

/** `services` must be complete when it is called. */
export function createAnnounce(listeners: Listeners, services: () => Services): Announce {
  return (app, what, detail) => {
    const appServices = servicesOf(services(), app);
    for (const listen of listeners[what]) listen(appServices, detail);
  };
}

export type Occurrences = {
  appCreated: object;
  /** Stored or dropped; without a `verdict` no rule applied. */
  messageStored: { message: Message; verdict: Verdict | undefined; isClient?: boolean | undefined };
  messageEdited: { message: Message; verdict: Verdict | undefined };
  membershipChanged: { action: Message };
  reactionAdded: { message: Message; reaction: Reaction; by: User };
  phoneCallSignalled: PhoneCallSignal;
};

/** @see docs/internals/platform/other-calls.md#notification-providers */
export type PhoneCallSignal = {
  message: Message;
  recipients: readonly string[];
  callAction: "initiated" | "cancelled" | "unanswered" | "ongoing" | "rejected" | "ended" | "busy";
  sessionId: string;
  callType: "audio" | "video";
};

export type Outbox = {
  /** Sends an event. The legacy engine gets its own form, if it has one. */
  emit(app: App, trigger: string, data: JsonObject, options?: EmitOptions): void;
  /** @returns undefined if a fault dropped it */
  deliver(app: App, delivery: DirectDelivery): number | undefined;
  /** Repeats a delivery unchanged. @returns undefined if it does not exist, or a fault dropped it */
  repeat(deliveryId: number): number | undefined;
  resume(): void;
  pause(): void;
  /** Begins the next attempt immediately. @returns false if none waits */
  hasten(deliveryId: number): boolean;
  /** Future retries do not count. */
  idle(): Promise<void>;
};

export type EmitOptions = { extra?: JsonObject; legacy?: LegacyEvent };

export type DirectDelivery = { name: string; trigger: string; body: JsonObject; target: DeliveryTarget };

/** `subscription`: the trigger, if it differs from the event's name. */
export type LegacyEvent = {
  subscription?: string;
  trigger: string;
  data: JsonObject;
  origin: "API" | "WEBSOCKET";
};

export type Ask = (question: Question) => Promise<Answer>;

type Question = {
  appId: string;
  kind: QuestionKind;
  target: string;
  url: string;
  credentials: { username: string; password: string } | undefined;
  /** A text is sent unchanged. */
  body: JsonObject | string | undefined;
  timeoutMs: number;
} & Pick<OutgoingRequest, "method" | "headers" | "maxCharacters" | "isWhole">;

export type OutgoingRequest = {
  url: string;
  body: string | undefined;
  authorization: string | undefined;
  timeoutMs: number;
  contentType?: string | undefined;
  /** Default: POST. */
  method?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Default: 64 KB. */
  maxCharacters?: number | undefined;
  /** Default: at the connection's end. */
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
