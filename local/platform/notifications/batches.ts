import { defined, isStringArray, type JsonObject } from "../json.ts";
import type { AppServices, Services } from "../services/services.ts";
import { servicesOf } from "../services/services.ts";
import { findApp, listApps } from "../store/apps.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/documents.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { receiptTime } from "../store/receipts.ts";
import { findActiveUser, type User } from "../store/users.ts";
import { entityOf } from "./push-details.ts";
import { type Channel, findProvider, noteSilence, notificationFacts, tellProvider } from "./tell-provider.ts";

/** Names the messages of one conversation that one recipient is still to be told about. */
type Batch = {
  channel: Channel;
  uid: string;
  conversationId: string;
  messageIds: string[];
  dueMs: number;
};

/**
 * Keeps a message for the recipient's next e-mail or SMS, which goes out an interval after its first message and tells
 * only what is still unread then.
 * @see docs/platform/webhooks.md#latency, docs/platform/other-calls.md#notification-providers
 */
export function collectForBatch(
  services: AppServices,
  item: { channel: Channel; uid: string; message: Message },
): void {
  const { channel, uid, message } = item;
  const { conversationId } = message;
  const stored = getDocument(services, kind, idOf({ channel, uid, conversationId }));
  const batch = stored === undefined ? undefined : toBatch(stored);
  if (batch !== undefined) {
    save(services, { ...batch, messageIds: [...batch.messageIds, message.id] });
    return;
  }
  const dueMs = services.clock.now() + services.switches.notificationIntervalMs;
  const started = { channel, uid, conversationId, messageIds: [message.id], dueMs };
  save(services, started);
  schedule(services, started);
}

/** Takes up the batches that the database holds, after a start or a restore. */
export function resumeBatches(services: Services): void {
  for (const app of listApps(services.db)) {
    for (const body of listDocuments(servicesOf(services, app), kind)) {
      schedule(servicesOf(services, app), toBatch(body));
    }
  }
}

function schedule(services: AppServices, batch: Batch) {
  services.clock.schedule(batch.dueMs, () => send(services, idOf(batch)));
}

// What is stored decides: a reset or restore may have taken the batch away or brought another one.
function send(services: AppServices, id: string) {
  if (!services.db.isOpen) return;
  const stored = getDocument(services, kind, id);
  if (stored === undefined || findApp(services.db, services.appId) === undefined) return;
  const batch = toBatch(stored);
  if (batch.dueMs > services.clock.now()) return;
  deleteDocument(services, kind, id);
  const messages = batch.messageIds
    .map((messageId) => findMessage(services, messageId))
    .filter((message) => message !== undefined)
    .filter((message) => message.deletedAt === undefined && !isRead(services, batch, message));
  const user = findActiveUser(services, batch.uid);
  const [first] = messages;
  if (first === undefined || user === undefined) return;
  const to = { uid: user.uid, name: user.name, ...addressOf(services, batch.channel, user) };
  const { channel, uid } = batch;
  const facts = notificationFacts(first, "after_message");
  if (findProvider(services, channel)?.needsAddress === true && Object.keys(to).length === 2) {
    const reason = channel === "email" ? "MISSING_EMAIL" : "MISSING_PHNO";
    noteSilence(services, { channel, uid, reason, facts });
    return;
  }
  const data = {
    to,
    messages: messages.map((message) => ({ sender: briefUser(message), message: textOf(message) })),
    ...describe(channel, first),
  };
  tellProvider(services, channel, { data, uid, facts });
}

function isRead(services: AppServices, batch: Batch, message: Message) {
  const question = {
    conversationId: batch.conversationId,
    uid: batch.uid,
    action: "read",
    messageId: Number(message.id),
  } as const;
  return receiptTime(services, question) !== undefined;
}

function describe(channel: Channel, message: Message): JsonObject {
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

function addressOf(services: AppServices, channel: Channel, user: User): JsonObject {
  const contact = getDocument(services, "contact-details", user.uid);
  const field = channel === "email" ? "email" : "phno";
  const value = contact?.[field];
  return typeof value === "string" ? { [field]: value } : {};
}

function briefUser(message: Message): JsonObject {
  const { uid = message.sender, name = message.sender, avatar } = entityOf(message, "sender") ?? {};
  return { uid, name, ...defined({ avatar }) };
}

function textOf(message: Message): string {
  if (typeof message.data.text === "string") return message.data.text;
  return message.type === "image" ? "📷 Has shared an image" : `Has shared a ${message.type}`;
}

function save(services: AppServices, batch: Batch) {
  putDocument(services, kind, idOf(batch), batch);
}

function idOf({ channel, uid, conversationId }: Pick<Batch, "channel" | "uid" | "conversationId">): string {
  return `${channel}/${uid}/${conversationId}`;
}

function toBatch(body: JsonObject): Batch {
  return {
    channel: body.channel === "sms" ? "sms" : "email",
    uid: String(body.uid),
    conversationId: String(body.conversationId),
    messageIds: isStringArray(body.messageIds) ? body.messageIds : [],
    dueMs: Number(body.dueMs),
  };
}

const kind = "notification-batch";
