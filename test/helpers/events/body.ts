/** What every builder lets its caller choose, besides the facts of its event. */
export interface Envelope {
  appId?: string;
  region?: string;
  /** The id of the webhook. */
  webhook?: string;
  /** Merged into `data`, over what the builder wrote. `undefined` removes a field. */
  data?: Record<string, unknown>;
}

/** A moment that all defaults share: 2026-11-20T12:00:00Z, in seconds. */
export const defaultTime = 1_795_176_000;

/** Wraps the data of one event of the current engine. */
export function currentCall(trigger: string, data: Record<string, unknown>, envelope: Envelope = {}) {
  const { appId = "app-1", region = "eu", webhook = "webhook-1", data: more } = envelope;
  return { trigger, data: { ...data, ...more }, appId, region, webhook };
}

/** Wraps the data of one event of the media layer, which names its kind of session beside the data. */
export function mediaCall(trigger: string, data: Record<string, unknown>, envelope: Envelope = {}) {
  const type = trigger.startsWith("meeting_") ? "meet" : "call";
  return { ...currentCall(trigger, data, envelope), type };
}

/** Wraps the data of one event of the legacy engine. */
export function legacyCall(trigger: string, data: Record<string, unknown>, envelope: Envelope = {}) {
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
