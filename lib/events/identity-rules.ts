import { readPath, readText } from "../base/json.ts";
import { lazy } from "../base/lazy.ts";
import {
  CHANGED,
  collectedMessages,
  deletedMessage,
  editedContent,
  groupContent,
  judgedContent,
  moderationFailures,
  peopleAt,
  pushBody,
} from "./occurrence-content.ts";

/**
 * Place of one part of a key in `data`: a dotted path. `|` separates alternatives; an empty one makes the
 * part optional. `~` before a part: the same key may later stand for another occurrence; alone, a part
 * without a value. A function: what a path cannot express.
 */
export type Spec = string | ((data: unknown) => readonly string[] | undefined);

/** Only what defines the occurrence, never circumstances of that moment. */
export type Rule = readonly [lane: Spec, ...fields: readonly Spec[]];

type Row = readonly [triggers: string, ...rule: Rule];

/**
 * Contains both uids, apparently sorted (docs/internals/platform/ids-and-limits.md#conversation-ids).
 * Receipts name no conversation.
 */
const receiptConversation = (data: unknown): readonly string[] | undefined => {
  const receiver = readText(data, "receiver") ?? readText(data, "receiptReceiver");
  if (readText(data, "receiverType") === "group") return receiver ? [`group_${receiver}`] : undefined;
  const reader = readText(data, "sender") ?? readText(data, "receiptSender");
  const author = readText(data, "messageSender") ?? receiver;
  return reader && author ? [[reader, author].sort().join("_user_")] : undefined;
};

/** In order with the group's messages, whose conversation id is `group_<guid>`. */
const groupConversation = (data: unknown): readonly string[] | undefined => {
  const guid = readText(data, "group.guid");
  return guid ? [`group_${guid}`] : undefined;
};

/** They identify the recipient, too. */
const messageIds = (messages: unknown): readonly string[] | undefined => {
  if (!Array.isArray(messages) || messages.length === 0) return;
  const ids = messages.map((message) => readText(message, "id"));
  return ids.every((id) => id !== undefined) ? ids : undefined;
};

const firstConversation = (messages: unknown): readonly string[] | undefined => {
  const id = Array.isArray(messages) ? readText(messages[0], "conversationId") : undefined;
  return id ? [id] : undefined;
};

const MENTIONS = "message.data.mentions";
/** The event may name no user. */
const mentioned = (data: unknown): readonly string[] | undefined =>
  Object.keys(readPath(data, MENTIONS) ?? {}).length === 0 ? [] : peopleAt(MENTIONS)(data);

const CONVERSATION = "message.conversationId";
const MESSAGE = "message.id";
const SESSION = "sessionId";
/** The documented key names no user: two who join in one second would be one. */
const PERSON: readonly Spec[] = ["occupant.uid|", "occupant.uid|occupant.name"];
/** Two samples of different occurrences have one `updatedAt`; an added member's event has none. */
const GROUP_CHANGE: readonly Spec[] = ["group.guid", "~group.updatedAt|~"];
/** A guid can be reused after a deletion; the creation time distinguishes the groups. */
const GROUP: readonly Spec[] = ["group.guid", "group.createdAt|~"];

/**
 * @see docs/internals/platform/webhooks.md#telling-duplicates; undocumented keys follow
 * docs/internals/identity.md.
 */
export const currentRules: readonly Row[] = [
  ["message_sent", CONVERSATION, MESSAGE],
  // Whether one event is sent per message or per mentioned user is not documented.
  ["user_mentioned", CONVERSATION, MESSAGE, mentioned, "message.editedAt|"],
  [
    "message_edited",
    CONVERSATION,
    MESSAGE,
    `${CHANGED}.id|`,
    `${CHANGED}.editedAt|message.editedAt|~message.updatedAt|~`,
    editedContent,
  ],
  ["message_deleted", CONVERSATION, deletedMessage, `${CHANGED}.deletedAt|message.deletedAt|`],
  ["message_pinned", CONVERSATION, MESSAGE, "message.pinnedAt|~message.updatedAt|~", "message.pinnedBy|"],
  [
    "message_unpinned",
    CONVERSATION,
    MESSAGE,
    "message.unpinnedAt|~message.updatedAt|~",
    "message.unpinnedBy|",
  ],
  // An edited message is moderated again.
  [
    "moderation_engine_approved moderation_engine_blocked moderation_manual_approved",
    CONVERSATION,
    MESSAGE,
    "message.editedAt|",
    judgedContent,
  ],
  [
    "moderation_engine_failed",
    "resource.conversationId",
    "resource.id",
    "contentType",
    "completedAt",
    "outcome|",
    moderationFailures,
  ],
  [
    "message_reaction_added message_reaction_removed",
    "reaction.messageId",
    "reaction.id",
    "reaction.reactedAt",
    "reaction.uid|",
    "reaction.reaction|",
  ],
  [
    "message_delivery_receipt message_read_receipt message_delivered_to_all message_read_by_all",
    receiptConversation,
    "body.messageId",
    "body.user.uid|sender",
    "body.action",
    "body.timestamp",
  ],
  ["user_blocked user_unblocked", "by.uid", "~by.uid", peopleAt("users")],
  [
    "user_connection_status_changed",
    "user.uid",
    "user.uid",
    "timestamp",
    "status|",
    ...["action", "platform", "connectedAt"].map((name) => `currentConnection.${name}|`),
  ],
  ["group_created group_deleted", groupConversation, ...GROUP],
  ["group_updated", groupConversation, ...GROUP_CHANGE, "group.updatedBy|", groupContent],
  [
    "group_owner_transferred",
    groupConversation,
    ...GROUP_CHANGE,
    "group.updatedBy|",
    "group.oldOwner|",
    "group.owner|",
  ],
  [
    "group_member_added group_member_scope_changed",
    groupConversation,
    ...GROUP_CHANGE,
    "by.uid|",
    peopleAt("members", "oldScope", "scope"),
  ],
  [
    "group_member_joined group_member_left group_member_kicked group_member_banned group_member_unbanned",
    groupConversation,
    ...GROUP_CHANGE,
    "by.uid|",
    peopleAt("members"),
  ],
  [
    "call_initiated call_busy call_cancelled call_rejected call_unanswered",
    "call.data.entities.on.entity.sessionid|call.conversationId",
    "call.id",
    "call.sentAt",
  ],
  ["call_started meeting_started", SESSION, SESSION, "created_at"],
  ["call_participant_joined meeting_participant_joined", SESSION, SESSION, "occupant.joined_at", ...PERSON],
  [
    "call_participant_left meeting_participant_left",
    SESSION,
    SESSION,
    "occupant.left_at",
    "occupant.joined_at|",
    ...PERSON,
  ],
  ["call_ended meeting_ended", SESSION, SESSION, "destroyed_at"],
  ["recording_generated", SESSION, SESSION, "startTime"],
  ["transcription_generated", SESSION, SESSION, "tid"],
  ["after_campaign_completed after_campaign_failed", "campaignId", "campaignId", "completedAt|updatedAt"],
  ["after_notification_created", "notificationId", "notificationId", "createdAt"],
  ["after_feed_item_sent", "id", "id", "sentAt"],
  ["after_feed_item_delivered", "id", "id", "deliveredAt"],
  ["after_feed_item_read", "id", "id", "readAt"],
  ["after_feed_item_interacted", "id", "id", "interactedAt|engagedAt", "topic|"],
  ["after_push_notification_sent", "pushNotificationId", "pushNotificationId", "sentAt|failedAt"],
  ["after_push_notification_delivered", "pushNotificationId", "pushNotificationId", "deliveredAt"],
  ["after_push_notification_clicked", "pushNotificationId", "pushNotificationId", "clickedAt"],
];

export const legacyRules: readonly Row[] = [
  ["before_message after_message", "conversationId", "id"],
  [
    "message_delivery_receipt message_read_receipt",
    receiptConversation,
    "messageId",
    "receiptSender",
    "receiptType",
    "readAt|deliveredAt",
  ],
  [
    "after_connection_status_changed",
    "user.uid",
    "user.uid",
    "event.at",
    "event.type|",
    "event.event_for.session_id|",
  ],
];

/** E-mails and SMS have no id and no time. */
export const notificationRules: readonly Row[] = [
  [
    "push-notification-payload-generated",
    "to.uid",
    "to.uid",
    "notificationDetails.tag",
    "notificationDetails.sentAt",
    ...["type", "callAction", "sessionId", "sender", "conversationId"].map(
      (name) => `notificationDetails.${name}|`,
    ),
    pushBody,
  ],
  [
    "email-notification-payload-generated sms-notification-payload-generated",
    "to.uid",
    "~to.uid",
    "groupDetails.guid|",
    "senderDetails.uid|",
    collectedMessages,
  ],
];

/** All of the catalogue. */
export const triggerNames = /* @__PURE__ */ lazy(
  (): ReadonlySet<string> =>
    new Set([
      ...[currentRules, legacyRules, notificationRules].flat().flatMap(([triggers]) => triggers.split(" ")),
      "email-extension",
    ]),
);

/** Each bot gets its own delivery: its name precedes these. */
export const botRule: Rule = ["conversationId", "id"];

export const extensionRule: Rule = [firstConversation, messageIds];

export const unknownRule: Rule = ["message.conversationId|conversationId", () => undefined];

/** A search is cheaper than a map, which a cold start would build to read one rule. */
export function ruleOf(rows: readonly Row[], trigger: string): Rule | undefined {
  const row = rows.find(([triggers]) => triggers.split(" ").includes(trigger));
  if (!row) return undefined;
  const [, ...rule] = row;
  return rule;
}

/** Undefined if required and missing. */
export function resolveSpec(
  spec: Spec,
  data: unknown,
): { fields: readonly string[]; canRecur?: boolean } | undefined {
  if (typeof spec === "function") {
    const fields = spec(data);
    return fields && { fields };
  }
  for (const alternative of spec.split("|")) {
    const canRecur = alternative.startsWith("~");
    const path = canRecur ? alternative.slice(1) : alternative;
    if (!path) return { fields: [""], canRecur };
    const field = readText(data, path);
    if (field) return { fields: [field], canRecur };
  }
  return undefined;
}
