/** The options of every builder besides its event's fields. */
export interface EventEnvelope {
  /** Default: `app-1`. */
  appId?: string;
  /** Default: `eu`. */
  region?: string;
  /** The id of the webhook. Default: `webhook-1`. */
  webhook?: string;
  /** Merged over the builder's `data`. `undefined` removes a field. */
  data?: Record<string, unknown>;
}

/** The body of a webhook, for `runTrigger`, `signedRequest` and similar. */
export type EventBody = {
  /** The platform's name of the event. */
  trigger: string;
  /** In the platform's form. */
  data: Record<string, unknown>;
  /** The event's app. */
  appId: string;
  /** `us`, `eu` or `in`. */
  region: string;
  /** The id of the event's webhook. */
  webhook: string;
};

/** The body of a media-layer webhook. */
export type MediaEventBody = EventBody & {
  /** `call`; `meet` for a session without ringing. */
  type: string;
};

/** The body of a legacy-engine webhook. */
export type LegacyEventBody = EventBody & {
  /** The message's origin. */
  origin: { platform: string };
  /** The chat API's version. */
  chatAPIVersion: string;
};

/** The body of a call to a bot's own address: `bot` replaces `webhook`. */
export type BotEventBody = Omit<LegacyEventBody, "webhook"> & {
  /** The bot's uid. */
  bot: string;
};

/** The body of the e-mail extension's call: without a trigger and an app id. */
export type EmailExtensionBody = {
  /** The address to write to. */
  to: string;
  /** The unread messages, in the platform's form. */
  body: Record<string, unknown>[];
};

/** The time of all defaults: 2026-11-20T12:00:00Z, in seconds. */
export const defaultTime = 1_795_176_000;

type DataOf<Facts> = (facts: Facts) => Record<string, unknown>;

export function current<Facts extends object>(
  trigger: string,
  dataOf: DataOf<Facts>,
  defaults: EventEnvelope = {},
) {
  return (facts: Facts = none(), envelope?: EventEnvelope): EventBody =>
    wrap(trigger, dataOf(facts), { ...defaults, ...envelope });
}

export function media<Facts extends object>(trigger: string, dataOf: DataOf<Facts>) {
  const type = trigger.startsWith("meeting_") ? "meet" : "call";
  return (facts: Facts = none(), envelope?: EventEnvelope): MediaEventBody => ({
    ...wrap(trigger, dataOf(facts), envelope),
    type,
  });
}

export function legacy<Facts extends object>(trigger: string, dataOf: DataOf<Facts>) {
  return (facts: Facts = none(), envelope?: EventEnvelope): LegacyEventBody => ({
    ...wrap(trigger, dataOf(facts), envelope),
    origin: { platform: "WEBSOCKET" },
    chatAPIVersion: "3.0",
  });
}

function wrap(trigger: string, data: Record<string, unknown>, envelope: EventEnvelope = {}): EventBody {
  const { appId = "app-1", region = "eu", webhook = "webhook-1", data: more } = envelope;
  return { trigger, data: { ...data, ...more }, appId, region, webhook };
}

/** Every option has a default. */
function none<Facts extends object>(): Facts;
function none(): object {
  return {};
}

export function userOf(uid: string, more: Record<string, unknown> = {}) {
  const name = `${uid.charAt(0).toUpperCase()}${uid.slice(1)}`;
  return { uid, name, status: "available", role: "default", ...more };
}

/** A map from uid to user. */
export function userMap(uids: readonly string[], more: Record<string, unknown> = {}) {
  return Object.fromEntries(uids.map((uid) => [uid, userOf(uid, more)]));
}

/** Receiver and conversation of what one user sends to another user, or to a group. */
export function placeOf(sender: string, receiver: string, guid: string | undefined) {
  if (guid !== undefined) return { receiver: guid, receiverType: "group", conversationId: `group_${guid}` };
  return { receiver, receiverType: "user", conversationId: [sender, receiver].sort().join("_user_") };
}
