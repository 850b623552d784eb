import { isJsonObject, type JsonObject, objectOf } from "../json.ts";
import type { LegacyEvent } from "../services/services.ts";
import type { Switches } from "../services/switches.ts";
import type { App } from "../store/apps.ts";

/** @see docs/internals/platform/legacy-engine.md#legacy-envelope */
export function legacyEnvelope(
  switches: Pick<Switches, "legacyEnvelope">,
  app: App,
  event: LegacyEvent,
  target: { webhook: string } | { bot: string },
): JsonObject {
  const { trigger, data, origin } = event;
  const optional = { origin: { platform: origin }, chatAPIVersion: "3.0", region: app.region };
  return {
    trigger,
    data,
    appId: app.appId,
    ...(switches.legacyEnvelope === "full" && optional),
    ...target,
  };
}

/** @returns undefined if the legacy engine has no such event */
export function toLegacyEvent(trigger: string, data: JsonObject): LegacyEvent | undefined {
  if (trigger === "message_sent" && isJsonObject(data.message)) {
    return { trigger: "after_message", data: data.message, origin: "API" };
  }
  if (trigger === "message_delivery_receipt" || trigger === "message_read_receipt") {
    return { trigger, data: toLegacyReceipt(data), origin: "WEBSOCKET" };
  }
  return undefined;
}

function toLegacyReceipt(data: JsonObject) {
  const body = objectOf(data.body);
  const isRead = body.action === "read";
  return {
    messageId: body.messageId,
    receiptType: isRead ? "read" : "delivered",
    [isRead ? "readAt" : "deliveredAt"]: body.timestamp,
    messageSender: data.messageSender,
    receiptSender: data.sender,
    receiptReceiver: data.receiver,
    receiverType: data.receiverType,
  };
}
