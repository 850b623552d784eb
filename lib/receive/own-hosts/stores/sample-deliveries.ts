import { parseJson } from "../../../base/json.ts";
import { identify } from "../../../events/identity.ts";
import { toWebhookDelivery } from "../to-webhook-delivery.ts";
import type { WebhookDelivery } from "../webhook-store.ts";

const firstReceivedAt = 1_760_000_000_000;

export function messageDelivery({
  id = "1",
  conversation = "ann_user_ben",
  text = "hello",
  appId = "app-1",
  receivedAt = firstReceivedAt,
}: {
  id?: string;
  conversation?: string;
  text?: string;
  appId?: string;
  receivedAt?: number;
}): WebhookDelivery {
  const [sender = "", receiver = ""] = conversation.split("_user_");
  const sentAt = Math.floor(firstReceivedAt / 1_000);
  const about = { conversationId: conversation, sender, receiverType: "user", receiver };
  const content = { category: "message", type: "text", data: { text }, sentAt, updatedAt: sentAt };
  const data = { message: { id, ...about, ...content } };
  return deliveryOf({ trigger: "message_sent", data, appId }, appId, receivedAt);
}

export function blockDelivery(): WebhookDelivery {
  const data = { by: { uid: "ann" }, users: { ben: { uid: "ben", name: "Ben" } } };
  return deliveryOf({ trigger: "user_blocked", data, appId: "app-1" }, "app-1", firstReceivedAt);
}

export function unreadDelivery(raw: Uint8Array): WebhookDelivery {
  return toWebhookDelivery({ appId: "app-1", bytes: raw, receivedAt: firstReceivedAt }, undefined);
}

export function receivedLater(delivery: WebhookDelivery, byMs: number): WebhookDelivery {
  return { ...delivery, receivedAt: delivery.receivedAt + byMs };
}

function deliveryOf(body: object, appId: string, receivedAt: number): WebhookDelivery {
  const bytes = Buffer.from(JSON.stringify(body));
  return toWebhookDelivery({ appId, bytes, receivedAt }, identify(parseJson(bytes.toString("utf8")), appId));
}
