import { defined, isJsonObject, type JsonObject } from "../json.ts";
import type { AppServices, Occurrences, PhoneCallSignal } from "../services/services.ts";
import { findConversation } from "../store/conversations.ts";
import { listMemberUids } from "../store/groups.ts";
import { isKept } from "../store/message-access.ts";
import type { Message } from "../store/messages.ts";
import { isTold } from "../store/told.ts";
import { collectForBatch } from "./batches.ts";
import { type Channel, findProvider, logSuppressed, notificationFacts, sendToProvider } from "./provider.ts";
import { callDetails, chatDetails, groupActionDetails, reactionDetails } from "./push-details.ts";
import { type Subject, suppressionReason } from "./settings.ts";

/** Not of agents' messages (assumed). @see docs/internals/platform/other-calls.md#notification-providers */
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
      subjectFields: (uid) => ({ isMention: isJsonObject(mentions) && Object.hasOwn(mentions, uid) }),
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
  /** As the logs name it. */
  trigger: string;
  isPhoneCall?: boolean;
  recipients?: readonly string[];
  describe: (uid: string) => JsonObject;
  subjectFields?: (uid: string) => Partial<Subject>;
  facts?: (uid: string) => JsonObject;
};

function notify(services: AppServices, occasion: Occasion) {
  const { channel, message, byUid, isPhoneCall = false } = occasion;
  if (findProvider(services, channel) === undefined || isKept(services, message)) return;
  const recipients = occasion.recipients ?? recipientsOf(services, message, byUid);
  const isGroup = message.receiverType === "group";
  if (!isPhoneCall && isGroup && recipients.length + 1 > groupLimits[channel]) return;
  for (const uid of recipients) {
    if (!isTold(services, uid, message, byUid)) continue;
    const facts = { ...notificationFacts(message, occasion.trigger), ...occasion.facts?.(uid) };
    const reason = suppressionReason(services, uid, {
      conversation: isGroup ? { type: "group", id: message.receiver } : { type: "oneOnOne", id: byUid },
      part: isPhoneCall ? "call" : isGroup ? "group" : "oneOnOne",
      setting: occasion.setting,
      ...occasion.subjectFields?.(uid),
    });
    if (reason !== undefined) logSuppressed(services, { channel, uid, reason, facts });
    else if (channel !== "push") collectForBatch(services, { channel, uid, message });
    else {
      const notificationDetails = {
        ...occasion.describe(uid),
        ...defined({ unreadMessageCount: findConversation(services, uid, message.conversationId)?.unread }),
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
