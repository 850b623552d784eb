import { defined } from "../json.ts";
import { type AppServices, type Services, servicesOf } from "../services/services.ts";
import { findApp, listApps } from "../store/apps.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { receiptTime } from "../store/receipts.ts";
import { isTold } from "../store/told.ts";
import { findActiveUser } from "../store/users.ts";
import { type Channel, findProvider, logSuppressed, notificationFacts, sendToProvider } from "./provider.ts";
import { entityOf } from "./push-details.ts";

/** One conversation's messages for the next notification to one recipient. */
type Batch = {
  channel: Channel;
  uid: string;
  conversationId: string;
  messageIds: string[];
  dueMs: number;
};

/**
 * Sent an interval after its first message, with what is unread then. @see
 * docs/internals/platform/webhooks.md#latency, docs/internals/platform/other-calls.md#notification-providers
 */
export function collectForBatch(
  services: AppServices,
  item: { channel: Channel; uid: string; message: Message },
): void {
  const { channel, uid, message } = item;
  const { conversationId } = message;
  const batch = getDocument<Batch>(services, kind, idOf({ channel, uid, conversationId }));
  const started = {
    ...{ channel, uid, conversationId, messageIds: [message.id] },
    dueMs: services.clock.now() + services.switches.notificationIntervalMs,
  };
  if (batch === undefined) schedule(services, started);
  else started.messageIds.unshift(...batch.messageIds);
  putDocument(services, kind, idOf(started), { ...started, ...batch, messageIds: started.messageIds });
}

export function resumeBatches(services: Services): void {
  for (const app of listApps(services.db)) {
    const appServices = servicesOf(services, app);
    for (const batch of listDocuments<Batch>(appServices, kind)) schedule(appServices, batch);
  }
}

function schedule(services: AppServices, batch: Batch) {
  services.clock.schedule(batch.dueMs, () => send(services, idOf(batch)));
}

// A reset or restore may have replaced it.
function send(services: AppServices, id: string) {
  if (!services.db.isOpen) return;
  const batch = getDocument<Batch>(services, kind, id);
  if (batch === undefined || findApp(services.db, services.appId) === undefined) return;
  const { channel, uid, conversationId } = batch;
  if (batch.dueMs > services.clock.now()) return;
  deleteDocument(services, kind, id);
  const isRead = ({ id }: Message) =>
    receiptTime(services, { conversationId, uid, action: "read", messageId: Number(id) }) !== undefined;
  const messages = batch.messageIds
    .map((messageId) => findMessage(services, messageId))
    .filter((message) => message !== undefined)
    .filter(
      (message) => message.deletedAt === undefined && isTold(services, uid, message) && !isRead(message),
    );
  const user = findActiveUser(services, uid);
  const [first] = messages;
  if (first === undefined || user === undefined) return;
  const facts = notificationFacts(first, "after_message");
  const field = channel === "email" ? "email" : "phno";
  const address = getDocument(services, "contact-details", uid)?.[field];
  if (findProvider(services, channel)?.needsAddress === true && address === undefined) {
    const reason = channel === "email" ? "MISSING_EMAIL" : "MISSING_PHNO";
    logSuppressed(services, { channel, uid, reason, facts });
    return;
  }
  const data = {
    to: { uid, name: user.name, ...defined({ [field]: address }) },
    messages: messages.map((message) => ({ sender: briefUser(message), message: textOf(message) })),
    ...describe(channel, first),
  };
  sendToProvider(services, channel, { data, uid, facts });
}

function describe(channel: Channel, message: Message) {
  const isGroup = message.receiverType === "group";
  const { guid, name, icon } = entityOf(message, "receiver") ?? {};
  const about = isGroup ? `in ${String(name)}` : `from ${String(briefUser(message).name)}`;
  const place = isGroup ? "https://your-website.com." : "https://your-website.com/chat.";
  return {
    ...(isGroup
      ? { groupDetails: { guid, name, ...defined({ icon }) } }
      : { senderDetails: briefUser(message) }),
    ...(channel === "email"
      ? { subject: `New messages ${about}` }
      : { smsContent: `You've received new messages ${about}! Read them at ${place}` }),
  };
}

function briefUser(message: Message) {
  const { uid = message.sender, name = message.sender, avatar } = entityOf(message, "sender") ?? {};
  return { uid, name, ...defined({ avatar }) };
}

function textOf(message: Message) {
  if (typeof message.data.text === "string") return message.data.text;
  return message.type === "image" ? "📷 Has shared an image" : `Has shared a ${message.type}`;
}

function idOf({ channel, uid, conversationId }: Pick<Batch, "channel" | "uid" | "conversationId">) {
  return `${channel}/${uid}/${conversationId}`;
}

const kind = "notification-batch";
