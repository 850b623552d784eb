/** What every builder lets its caller choose, besides the facts of its event. */
export interface EventEnvelope {
  /** Default: `app-1`. */
  appId?: string;
  /** Default: `eu`. */
  region?: string;
  /** The id of the webhook. Default: `webhook-1`. */
  webhook?: string;
  /** Merged into `data`, over what the builder wrote. `undefined` removes a field. */
  data?: Record<string, unknown>;
}

/** The body of a call that the platform makes, for `runTrigger`, `signedRequest` and the like. */
export type EventBody = {
  /** The platform's own name of the event. */
  trigger: string;
  /** What it tells, in the platform's own form. */
  data: Record<string, unknown>;
  /** The app that it is about. */
  appId: string;
  /** `us`, `eu` or `in`. */
  region: string;
  /** The id of the webhook that it is for. */
  webhook: string;
};

/** The body of a call of the media layer. */
export type MediaEventBody = EventBody & {
  /** `call`, or `meet` for a session without ringing. */
  type: string;
};

/** The body of a call of the legacy engine. */
export type LegacyEventBody = EventBody & {
  /** Where the message came from. */
  origin: { platform: string };
  /** The version of the chat's API. */
  chatAPIVersion: string;
};

/** The body of a call to a bot's own address: the bot stands in place of the webhook. */
export type BotEventBody = Omit<LegacyEventBody, "webhook"> & {
  /** The bot's uid. */
  bot: string;
};

/** The body of the e-mail extension's call: it has neither a trigger nor an app id. */
export type EmailExtensionBody = {
  /** The address to write to. */
  to: string;
  /** The unread messages, in the platform's own form. */
  body: Record<string, unknown>[];
};

/** A moment that all defaults share: 2026-11-20T12:00:00Z, in seconds. */
export const defaultTime = 1_795_176_000;

/** Wraps the data of one event of the current engine. */
export function currentCall(
  trigger: string,
  data: Record<string, unknown>,
  envelope: EventEnvelope = {},
): EventBody {
  const { appId = "app-1", region = "eu", webhook = "webhook-1", data: more } = envelope;
  return { trigger, data: { ...data, ...more }, appId, region, webhook };
}

/** Wraps the data of one event of the media layer, which names its kind of session beside the data. */
export function mediaCall(
  trigger: string,
  data: Record<string, unknown>,
  envelope: EventEnvelope = {},
): MediaEventBody {
  const type = trigger.startsWith("meeting_") ? "meet" : "call";
  return { ...currentCall(trigger, data, envelope), type };
}

/** Wraps the data of one event of the legacy engine. */
export function legacyCall(
  trigger: string,
  data: Record<string, unknown>,
  envelope: EventEnvelope = {},
): LegacyEventBody {
  return {
    ...currentCall(trigger, data, envelope),
    origin: { platform: "WEBSOCKET" },
    chatAPIVersion: "3.0",
  };
}

/** A user as the platform shows one. */
export function userOf(uid: string, more: Record<string, unknown> = {}) {
  const name = `${uid.charAt(0).toUpperCase()}${uid.slice(1)}`;
  return { uid, name, status: "available", role: "default", ...more };
}

/** A map from uid to user. */
export function userMap(uids: readonly string[], more: Record<string, unknown> = {}) {
  return Object.fromEntries(uids.map((uid) => [uid, userOf(uid, more)]));
}

/** The id of the conversation of two people. */
export function conversationOfTwo(uid: string, other: string) {
  return [uid, other].sort().join("_user_");
}
