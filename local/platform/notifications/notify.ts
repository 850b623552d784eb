import { defined, type JsonObject, objectOf } from "../json.ts";
import {
  type AppServices,
  type Occurrences,
  type PhoneCallSignal,
  type Services,
  servicesOf,
} from "../services/services.ts";
import { findApp, listApps } from "../store/apps.ts";
import { findConversation } from "../store/conversations.ts";
import { deleteDocument, getDocument, listDocuments, putDocument } from "../store/database.ts";
import { listMemberUids } from "../store/groups.ts";
import { isKept } from "../store/message-access.ts";
import { findMessage, type Message } from "../store/messages.ts";
import { isNotified } from "../store/notified.ts";
import { receiptTime } from "../store/receipts.ts";
import { findActiveUser } from "../store/users.ts";
import { type Channel, findProvider, logSuppressed, notificationFacts, sendToProvider } from "./provider.ts";
import { callDetails, chatDetails, entityOf, groupActionDetails, reactionDetails } from "./push-details.ts";
import { type Subject, suppressionReason } from "./settings.ts";

/** Ignores agents' messages (assumed). @see docs/internals/platform/other-calls.md#notification-providers */
export function notifyOfMessage(services: AppServices, { message }: Occurrences["messageStored"]): void {
  if (message.category === "agentic") return;
  const setting =
    message.parentId !== undefined
      ? "replies"
      : message.quotedMessage === undefined
        ? "messages"
        : "quotedReplies";
  const { mentions } = message.data;
  const details = chatDetails(message);
  for (const channel of ["push", "email", "sms"] as const) {
    notify(services, {
      channel,
      message,
      byUid: message.sender,
      setting,
      trigger: "after_message",
      describe: () => details,
      subjectFields: (uid) => ({ isMention: Object.hasOwn(objectOf(mentions), uid) }),
    });
  }
}

export function notifyOfReaction(
  services: AppServices,
  { message, reaction, by }: Occurrences["reactionAdded"],
): void {
  notify(services, {
    channel: "push",
    message,
    byUid: by.uid,
    setting: "reactions",
    trigger: "message_reaction_added",
    describe: (uid) =>
      reactionDetails(message, { by, emoji: reaction.reaction, isOwn: uid === message.sender }),
    subjectFields: (uid) => ({ isOwn: uid === message.sender }),
    facts: (uid) => ({ reactionId: Number(reaction.id), reactionSender: by.uid, reactionReceiver: uid }),
  });
}

export function notifyOfMembership(
  services: AppServices,
  { action }: Occurrences["membershipChanged"],
): void {
  const known = groupActions[String(action.data.action)];
  if (known === undefined) return;
  const details = groupActionDetails(action);
  notify(services, {
    channel: "push",
    message: action,
    byUid: action.sender,
    setting: known.setting,
    trigger: known.trigger,
    describe: () => details,
  });
}

export function notifyOfPhoneCall(services: AppServices, signal: PhoneCallSignal): void {
  const { message, recipients, ...fields } = signal;
  notify(services, {
    channel: "push",
    message,
    byUid: message.sender,
    setting: fields.callAction,
    trigger: fields.callAction,
    isPhoneCall: true,
    recipients,
    describe: () => ({ ...callDetails(message, fields.callType), ...fields }),
  });
}

type Occasion = {
  channel: Channel;
  message: Message;
  byUid: string;
  setting: string;
  /** The name in the logs. */
  trigger: string;
  isPhoneCall?: boolean;
  recipients?: readonly string[];
  describe: (uid: string) => JsonObject;
  subjectFields?: (uid: string) => Partial<Subject>;
  facts?: (uid: string) => JsonObject;
};

function notify(services: AppServices, occasion: Occasion) {
  const { channel, message, byUid, isPhoneCall = false } = occasion;
  const { conversationId } = message;
  if (findProvider(services, channel) === undefined || isKept(services, message)) return;
  const recipients = occasion.recipients ?? recipientsOf(services, message, byUid);
  const isGroup = message.receiverType === "group";
  if (!isPhoneCall && isGroup && recipients.length + 1 > groupLimits[channel]) return;
  for (const uid of recipients) {
    if (!isNotified(services, uid, message, byUid)) continue;
    const facts = { ...notificationFacts(message, occasion.trigger), ...occasion.facts?.(uid) };
    const reason = suppressionReason(services, uid, {
      conversation: isGroup ? { type: "group", id: message.receiver } : { type: "oneOnOne", id: byUid },
      part: isPhoneCall ? "call" : isGroup ? "group" : "oneOnOne",
      setting: occasion.setting,
      ...occasion.subjectFields?.(uid),
    });
    if (reason !== undefined) logSuppressed(services, { channel, uid, reason, facts });
    else if (channel !== "push") collectForBatch(services, { channel, uid, conversationId }, message.id);
    else {
      const notificationDetails = {
        ...occasion.describe(uid),
        ...defined({ unreadMessageCount: findConversation(services, uid, conversationId)?.unread }),
        sentAt: String(services.clock.now()),
      };
      sendToProvider(services, channel, { data: { to: { uid }, notificationDetails }, uid, facts });
    }
  }
}

function recipientsOf(services: AppServices, message: Message, byUid: string) {
  if (message.receiverType === "user") {
    return [byUid === message.sender ? message.receiver : message.sender];
  }
  return listMemberUids(services, message.receiver).filter((uid) => uid !== byUid);
}

const groupActions: Record<string, { setting: string; trigger: string }> = {
  joined: { setting: "memberJoined", trigger: "after_group_joined" },
  left: { setting: "memberLeft", trigger: "after_group_left" },
  added: { setting: "memberAdded", trigger: "after_group_members_added" },
  kicked: { setting: "memberKicked", trigger: "after_group_members_kicked" },
  banned: { setting: "memberBanned", trigger: "after_group_members_banned" },
  unbanned: { setting: "memberUnbanned", trigger: "after_group_members_unbanned" },
  scopeChanged: { setting: "memberScopeChanged", trigger: "after_scope_changed" },
};

const groupLimits = { push: 1_000, email: 30, sms: 30 };

type Batch = BatchKey & { messageIds: string[]; dueMs: number };

type BatchKey = { channel: Channel; uid: string; conversationId: string };

/**
 * Notifies an interval after the first message, of what is then unread.
 * @see docs/internals/platform/webhooks.md#latency
 * @see docs/internals/platform/other-calls.md#notification-providers
 */
function collectForBatch(services: AppServices, key: BatchKey, messageId: string) {
  const known = getDocument<Batch>(services, kind, idOf(key));
  const dueMs = services.clock.now() + services.switches.notificationIntervalMs;
  const batch = known ?? { ...key, messageIds: [], dueMs };
  putDocument(services, kind, idOf(key), { ...batch, messageIds: [...batch.messageIds, messageId] });
  if (known === undefined) schedule(services, batch);
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
      (message) => message.deletedAt === undefined && isNotified(services, uid, message) && !isRead(message),
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

function idOf({ channel, uid, conversationId }: BatchKey) {
  return `${channel}/${uid}/${conversationId}`;
}

const kind = "notification-batch";
