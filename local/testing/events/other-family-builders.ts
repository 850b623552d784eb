import {
  type BotEventBody,
  conversationOfTwo,
  currentCall,
  defaultTime,
  type EmailExtensionBody,
  type EventBody,
  type EventEnvelope,
  type LegacyEventBody,
  legacyCall,
  userOf,
} from "./body.ts";
import { messageBody } from "./message-body.ts";
import type {
  BotMessageFacts,
  EmailExtensionFacts,
  MessageFacts,
  NotificationFacts,
  PushPayloadFacts,
  ReceiptFacts,
} from "./message-facts.ts";
import type { LegacyConnectionFacts } from "./user-and-group-facts.ts";

/** Builds the bodies of the legacy engine and of a bot's callback. */
export const legacyBuilders = {
  /** Builds the body of the legacy `before_message`. */
  beforeMessage: (facts: MessageFacts = {}, envelope?: EventEnvelope): LegacyEventBody => {
    const { id: _, ...message } = messageBody(facts);
    return legacyCall("before_message", message, envelope);
  },

  /** Builds the body of the legacy `after_message`. */
  afterMessage: (facts: MessageFacts = {}, envelope?: EventEnvelope): LegacyEventBody =>
    legacyCall("after_message", messageBody(facts), envelope),

  /** Builds the body of the legacy `message_delivery_receipt`. */
  legacyMessageDeliveryReceipt: (facts: ReceiptFacts = {}, envelope?: EventEnvelope): LegacyEventBody =>
    legacyCall("message_delivery_receipt", receiptBody("delivered", "deliveredAt", facts), envelope),

  /** Builds the body of the legacy `message_read_receipt`. */
  legacyMessageReadReceipt: (facts: ReceiptFacts = {}, envelope?: EventEnvelope): LegacyEventBody =>
    legacyCall("message_read_receipt", receiptBody("read", "readAt", facts), envelope),

  /** Builds the body of the legacy `after_connection_status_changed`. */
  afterConnectionStatusChanged: (
    facts: LegacyConnectionFacts = {},
    envelope?: EventEnvelope,
  ): LegacyEventBody => {
    const { uid = "ann", status = "online", atMs = defaultTime * 1000 } = facts;
    const connection = {
      connected_at: atMs,
      cometchat_device_id: "device-1",
      session_id: "socket-1",
      platform: "web",
    };
    const data = {
      user: { uid, status, status_updated: true, status_updated_at: atMs },
      event: { type: status === "online" ? "connected" : "disconnected", at: atMs, event_for: connection },
      connections: status === "online" ? [connection] : [],
    };
    return legacyCall("after_connection_status_changed", data, envelope);
  },

  /** The call to a bot's own address: like `afterMessage`, with `bot` instead of `webhook`. */
  botMessage: (
    { bot = "helper", ...facts }: BotMessageFacts = {},
    envelope?: EventEnvelope,
  ): BotEventBody => {
    const { webhook: _, ...call } = legacyCall(
      "after_message",
      messageBody({ receiver: bot, ...facts }),
      envelope,
    );
    return { ...call, bot };
  },
};

/** Builds the bodies for custom notification providers and for the e-mail extension. */
export const notificationBuilders = {
  /** Builds the body of `push-notification-payload-generated`. */
  pushNotificationPayload: (facts: PushPayloadFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { to = "bela", from = "ann", text = "Hello", guid, messageId = "1001" } = facts;
    const { atMs = defaultTime * 1000 } = facts;
    const notificationDetails = {
      title: userOf(from).name,
      body: text,
      sender: from,
      senderName: userOf(from).name,
      receiver: guid ?? to,
      receiverName: guid ?? userOf(to).name,
      receiverType: guid === undefined ? "user" : "group",
      tag: messageId,
      conversationId: guid === undefined ? conversationOfTwo(from, to) : `group_${guid}`,
      type: "chat",
      sentAt: String(atMs),
      unreadMessageCount: 1,
    };
    const data = { to: { uid: to }, notificationDetails };
    return currentCall("push-notification-payload-generated", data, { webhook: "custom", ...envelope });
  },

  /** Builds the body of `email-notification-payload-generated`. */
  emailNotificationPayload: (facts: NotificationFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { to, ...data } = collectedBody(facts);
    const body = { to: { ...to, email: `${to.uid}@example.org` }, ...data, subject: "New messages" };
    return currentCall("email-notification-payload-generated", body, { webhook: "custom", ...envelope });
  },

  /** Builds the body of `sms-notification-payload-generated`. */
  smsNotificationPayload: (facts: NotificationFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { to, ...data } = collectedBody(facts);
    const body = { to: { ...to, phno: "+41445550100" }, ...data, smsContent: "You have new messages." };
    return currentCall("sms-notification-payload-generated", body, { webhook: "custom", ...envelope });
  },

  /** Has neither a trigger nor an app id, as on the platform. */
  emailExtension: ({
    to = "bela@example.org",
    messages = [{}],
  }: EmailExtensionFacts = {}): EmailExtensionBody => ({
    to,
    body: messages.map((facts) => messageBody(facts)),
  }),
};

function receiptBody(receiptType: string, timeField: string, facts: ReceiptFacts) {
  const { messageId = "1001", reader = "bela", author = "ann", guid, at = defaultTime + 5 } = facts;
  return {
    messageId,
    receiptType,
    [timeField]: at,
    messageSender: author,
    receiptSender: reader,
    receiptReceiver: guid ?? author,
    receiverType: guid === undefined ? "user" : "group",
  };
}

function collectedBody({ to = "bela", from = "ann", text = "Hello", guid }: NotificationFacts) {
  const { uid, name } = userOf(to);
  const sender = { uid: from, name: userOf(from).name, avatar: "" };
  const place =
    guid === undefined ? { senderDetails: sender } : { groupDetails: { guid, name: guid, icon: "" } };
  return { to: { uid, name }, messages: [{ sender, message: text }], ...place };
}
