import {
  type BotEventBody,
  current,
  defaultTime,
  type EmailExtensionBody,
  type EventEnvelope,
  legacy,
  placeOf,
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

const afterMessage = legacy("after_message", (facts: MessageFacts) => messageBody(facts));

/** Builds the bodies of the legacy engine and of a bot's callback. */
export const legacyBuilders = {
  /** Builds the legacy `before_message`. */
  beforeMessage: legacy("before_message", (facts: MessageFacts) => {
    const { id: _, ...message } = messageBody(facts);
    return message;
  }),
  /** Builds the legacy `after_message`. */
  afterMessage,
  /** Builds the legacy `message_delivery_receipt`. */
  legacyMessageDeliveryReceipt: legacy("message_delivery_receipt", (facts: ReceiptFacts) =>
    receiptData("delivered", "deliveredAt", facts),
  ),
  /** Builds the legacy `message_read_receipt`. */
  legacyMessageReadReceipt: legacy("message_read_receipt", (facts: ReceiptFacts) =>
    receiptData("read", "readAt", facts),
  ),
  /** Builds the legacy `after_connection_status_changed`. */
  afterConnectionStatusChanged: legacy("after_connection_status_changed", (facts: LegacyConnectionFacts) => {
    const { uid = "ann", status = "online", atMs: at = defaultTime * 1000 } = facts;
    const connection = {
      connected_at: at,
      cometchat_device_id: "device-1",
      session_id: "socket-1",
      platform: "web",
    };
    return {
      user: { uid, status, status_updated: true, status_updated_at: at },
      event: { type: status === "online" ? "connected" : "disconnected", at, event_for: connection },
      connections: status === "online" ? [connection] : [],
    };
  }),
  /** The call to a bot's own address: like `afterMessage`, with `bot` instead of `webhook`. */
  botMessage: (
    { bot = "helper", ...facts }: BotMessageFacts = {},
    envelope?: EventEnvelope,
  ): BotEventBody => {
    const { webhook: _, ...call } = afterMessage({ receiver: bot, ...facts }, envelope);
    return { ...call, bot };
  },
};

const ofProvider: EventEnvelope = { webhook: "custom" };

/** Builds the bodies for custom notification providers and for the e-mail extension. */
export const notificationBuilders = {
  /** Builds `push-notification-payload-generated`. */
  pushNotificationPayload: current("push-notification-payload-generated", pushData, ofProvider),
  /** Builds `email-notification-payload-generated`. */
  emailNotificationPayload: current(
    "email-notification-payload-generated",
    (facts: NotificationFacts) => ({
      ...collectedData(facts, { email: `${facts.to ?? "bela"}@example.org` }),
      subject: "New messages",
    }),
    ofProvider,
  ),
  /** Builds `sms-notification-payload-generated`. */
  smsNotificationPayload: current(
    "sms-notification-payload-generated",
    (facts: NotificationFacts) => ({
      ...collectedData(facts, { phno: "+41445550100" }),
      smsContent: "You have new messages.",
    }),
    ofProvider,
  ),
  /** Has neither a trigger nor an app id, as on the platform. */
  emailExtension: ({
    to = "bela@example.org",
    messages = [{}],
  }: EmailExtensionFacts = {}): EmailExtensionBody => ({
    to,
    body: messages.map((facts) => messageBody(facts)),
  }),
};

function receiptData(receiptType: string, timeField: string, facts: ReceiptFacts) {
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

function pushData(facts: PushPayloadFacts) {
  const { to = "bela", from = "ann", text = "Hello", guid, messageId = "1001" } = facts;
  const { atMs = defaultTime * 1000 } = facts;
  const notificationDetails = {
    title: userOf(from).name,
    body: text,
    sender: from,
    senderName: userOf(from).name,
    ...placeOf(from, to, guid),
    receiverName: guid ?? userOf(to).name,
    tag: messageId,
    type: "chat",
    sentAt: String(atMs),
    unreadMessageCount: 1,
  };
  return { to: { uid: to }, notificationDetails };
}

function collectedData(facts: NotificationFacts, address: Record<string, string>) {
  const { to = "bela", from = "ann", text = "Hello", guid } = facts;
  const sender = { uid: from, name: userOf(from).name, avatar: "" };
  const place =
    guid === undefined ? { senderDetails: sender } : { groupDetails: { guid, name: guid, icon: "" } };
  return {
    to: { uid: to, name: userOf(to).name, ...address },
    messages: [{ sender, message: text }],
    ...place,
  };
}
