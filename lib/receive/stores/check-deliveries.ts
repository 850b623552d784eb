import { parseJson } from "../../base/json.ts";
import { identify } from "../../events/identity.ts";
import { toWebhookDelivery } from "../to-webhook-delivery.ts";
import type { WebhookDelivery } from "../webhook-store.ts";

/** Any moment of the past. */
const firstReceivedAt = 1_760_000_000_000;

/** Makes a message's delivery; `text` is written into it. */
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

/** Makes a delivery of a fact whose key can recur: that one user blocks another, which holds no time. */
export function blockDelivery(receivedAt: number = firstReceivedAt): WebhookDelivery {
  const data = { by: { uid: "ann" }, users: { ben: { uid: "ben", name: "Ben" } } };
  return deliveryOf({ trigger: "user_blocked", data, appId: "app-1" }, "app-1", receivedAt);
}

/** Makes a delivery that nobody can read. */
export function unreadDelivery(raw: Uint8Array): WebhookDelivery {
  return toWebhookDelivery({ appId: "app-1", bytes: raw, receivedAt: firstReceivedAt }, undefined);
}

/** Gives the same fact's delivery, received later. */
export function receivedLater(delivery: WebhookDelivery, byMs: number): WebhookDelivery {
  return { ...delivery, receivedAt: delivery.receivedAt + byMs };
}

function deliveryOf(body: object, appId: string, receivedAt: number): WebhookDelivery {
  const bytes = Buffer.from(JSON.stringify(body));
  return toWebhookDelivery({ appId, bytes, receivedAt }, identify(parseJson(bytes.toString("utf8")), appId));
}
