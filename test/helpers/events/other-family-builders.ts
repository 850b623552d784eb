import { conversationOfTwo, currentCall, defaultTime, type Envelope, legacyCall, userOf } from "./body.ts";
import { type MessageFacts, messageBody } from "./message-body.ts";

type ReceiptFacts = { messageId?: string; reader?: string; author?: string; guid?: string; at?: number };
type NotificationFacts = { to?: string; from?: string; text?: string; guid?: string };

/** Builds the bodies of the legacy engine and of a bot's callback. */
export const legacyBuilders = {
  beforeMessage: (facts: MessageFacts = {}, envelope?: Envelope) => {
    const { id: _, ...message } = messageBody(facts);
    return legacyCall("before_message", message, envelope);
  },

  afterMessage: (facts: MessageFacts = {}, envelope?: Envelope) =>
    legacyCall("after_message", messageBody(facts), envelope),

  legacyMessageDeliveryReceipt: (facts: ReceiptFacts = {}, envelope?: Envelope) =>
    legacyCall("message_delivery_receipt", receiptBody("delivered", "deliveredAt", facts), envelope),

  legacyMessageReadReceipt: (facts: ReceiptFacts = {}, envelope?: Envelope) =>
    legacyCall("message_read_receipt", receiptBody("read", "readAt", facts), envelope),

  afterConnectionStatusChanged: (
    facts: { uid?: string; status?: "online" | "offline" /** In milliseconds. */; atMs?: number } = {},
    envelope?: Envelope,
  ) => {
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

  /** The call to a bot's own address: like `afterMessage`, with the bot in place of the webhook. */
  botMessage: ({ bot = "helper", ...facts }: MessageFacts & { bot?: string } = {}, envelope?: Envelope) => {
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
  pushNotificationPayload: (
    facts: NotificationFacts & { messageId?: string; atMs?: number } = {},
    envelope?: Envelope,
  ) => {
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

  emailNotificationPayload: (facts: NotificationFacts = {}, envelope?: Envelope) => {
    const { to, ...data } = collectedBody(facts);
    const body = { to: { ...to, email: `${to.uid}@example.org` }, ...data, subject: "New messages" };
    return currentCall("email-notification-payload-generated", body, { webhook: "custom", ...envelope });
  },

  smsNotificationPayload: (facts: NotificationFacts = {}, envelope?: Envelope) => {
    const { to, ...data } = collectedBody(facts);
    const body = { to: { ...to, phno: "+41445550100" }, ...data, smsContent: "You have new messages." };
    return currentCall("sms-notification-payload-generated", body, { webhook: "custom", ...envelope });
  },

  /** Has neither a trigger nor an app id: the platform sends none. */
  emailExtension: ({
    to = "bela@example.org",
    messages = [{}],
  }: {
    to?: string;
    messages?: MessageFacts[];
  } = {}) => ({
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
