import type { JsonObject } from "../json.ts";
import type { AppServices } from "../services/services.ts";
import type { AppData } from "../store/database.ts";
import type { DeliveryTarget } from "../store/deliveries.ts";
import { getDocument } from "../store/documents.ts";
import type { Message } from "../store/messages.ts";
import { putNotificationLog } from "./logs.ts";

/** Names what a provider carries. */
export type Channel = "push" | "email" | "sms";

/** A customer's server that carries notifications. */
export type Provider = {
  target: DeliveryTarget;
  /** Only to recipients whose address is stored with the platform. */
  needsAddress: boolean;
};

/** Finds the enabled custom provider of a channel, or undefined. */
export function findProvider(data: AppData, channel: Channel): Provider | undefined {
  const stored = getDocument(data, providerKind, `${channel}-custom`);
  if (stored === undefined || stored.isEnabled !== true || typeof stored.webhookURL !== "string") {
    return undefined;
  }
  const credentials = {
    username: String(stored.basicAuthUsername ?? ""),
    password: String(stored.basicAuthPassword ?? ""),
  };
  return {
    target: {
      url: stored.webhookURL,
      credentials: stored.useBasicAuth === true ? credentials : undefined,
    },
    needsAddress: stored.useStoredPhNo === true || stored.useStoredEmailID === true,
  };
}

/** Tells a provider, fire and forget, and logs it; a channel without an enabled provider is passed over. */
export function tellProvider(
  services: AppServices,
  channel: Channel,
  notice: { data: JsonObject; uid: string; facts: LogFacts },
): void {
  const provider = findProvider(services, channel);
  if (provider === undefined) return;
  const { data, uid, facts } = notice;
  const trigger = `${channel}-notification-payload-generated`;
  const deliveryId = services.outbox.deliver(services.app, {
    name: "custom",
    trigger,
    body: { trigger, data, appId: services.appId, region: services.app.region, webhook: "custom" },
    target: provider.target,
  });
  note(services, {
    channel,
    member: uid,
    ...facts,
    payload: data,
    notificationTriggered: true,
    deliveryId,
  });
}

/** Logs that a recipient was not told, and why. */
export function noteSilence(
  services: AppServices,
  silence: { channel: Channel; uid: string; reason: string; facts: LogFacts },
): void {
  const { channel, uid, reason, facts } = silence;
  note(services, { channel, member: uid, ...facts, notificationTriggered: false, reason });
}

/** Tells of a message what the logs hold; `trigger` is one of their names. */
export function notificationFacts(message: Message, trigger: string): LogFacts {
  const { id, sender, receiver, receiverType, category, type, sentAt } = message;
  return {
    messageId: Number(id),
    messageCategory: category,
    messageType: type,
    trigger,
    messageSentAtMS: sentAt * 1_000,
    sender,
    receiver,
    receiverType,
  };
}

/** What the logs tell of the occasion of a notification, by their names. */
type LogFacts = JsonObject & { trigger: string };

function note(services: AppServices, entry: JsonObject): void {
  const atMs = services.clock.now();
  putNotificationLog(services, {
    processingStartedAtMS: atMs,
    processingEndedAtMS: atMs,
    totalProcessingTimeInMS: 0,
    provider: "custom",
    ...entry,
  });
}

/** Names the documents that hold providers. */
export const providerKind = "notification-provider";
