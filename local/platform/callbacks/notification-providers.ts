import { isJsonObject, type JsonObject } from "../json.ts";
import { putNotificationLog } from "../notifications/logs.ts";
import type { Services } from "../services.ts";
import type { App } from "../store/apps.ts";
import type { Database } from "../store/database.ts";
import type { DeliveryTarget } from "../store/deliveries.ts";
import { getDocument } from "../store/documents.ts";

/** Names what a provider carries. */
export type Channel = "push" | "email" | "sms";

/** A customer's server that carries notifications. */
export type Provider = {
  target: DeliveryTarget;
  /** Only to recipients whose address is stored with the platform. */
  needsAddress: boolean;
};

/** Finds the enabled custom provider of a channel, or undefined. */
export function findProvider(db: Database, appId: string, channel: Channel): Provider | undefined {
  const stored = getDocument(db, appId, providerKind, `${channel}-custom`);
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

/** Calls a provider, fire and forget; a channel without an enabled provider is passed over. */
export function callProvider(services: Services, app: App, channel: Channel, data: JsonObject): void {
  const provider = findProvider(services.db, app.appId, channel);
  if (provider === undefined) return;
  const trigger = `${channel}-notification-payload-generated`;
  services.outbox.call(app, {
    name: "custom",
    trigger,
    body: { trigger, data, appId: app.appId, region: app.region, webhook: "custom" },
    target: provider.target,
  });
  noteCall(services, app, channel, data);
}

// What the call came to is seen in the deliveries; the log says that it was made.
function noteCall(services: Services, app: App, channel: Channel, data: JsonObject): void {
  const details = isJsonObject(data.notificationDetails) ? data.notificationDetails : {};
  const { sender, receiver, receiverType, tag } = details;
  const atMs = services.clock.now();
  putNotificationLog(services.db, app.appId, {
    processingStartedAtMS: atMs,
    processingEndedAtMS: atMs,
    totalProcessingTimeInMS: 0,
    channel,
    provider: "custom",
    ...(/^\d+$/.test(String(tag)) ? { messageId: Number(tag), messageSentAtMS: atMs } : {}),
    ...(sender === undefined ? {} : { sender, receiver, receiverType }),
    member: isJsonObject(data.to) ? data.to.uid : undefined,
    payload: data,
    notificationTriggered: true,
  });
}

/** Names the documents that hold providers. */
export const providerKind = "notification-provider";
