import type { Condition } from "./condition.ts";

// Conditions over the columns of `messages`, for `selectMessages` and `countMessages`.

/** Holds for the messages of a conversation. */
export function ofConversation(conversationId: string): Condition {
  return { sql: "conversation_id = ?", values: [conversationId] };
}

/** Holds for the one-to-one messages of a user, sent and received. */
export function oneToOneOf(uid: string): Condition {
  return { sql: "receiver_type = 'user' AND (sender = ? OR receiver = ?)", values: [uid, uid] };
}

/** Holds for what a user or a group was sent. */
export function receivedBy(type: "user" | "group", id: string): Condition {
  return { sql: "receiver_type = ? AND receiver = ?", values: [type, id] };
}

/** Holds for the replies in a message's thread. */
export function repliesTo(parentId: string): Condition {
  return { sql: "parent_id = ?", values: [Number(parentId)] };
}

/** Holds for the messages after an id, or before it. */
export function beyondId(id: number, direction: "after" | "before"): Condition {
  return { sql: direction === "before" ? "id < ?" : "id > ?", values: [id] };
}

/** Holds for messages that mention a user. */
export function mentioning(uid: string): Condition {
  return {
    sql: "EXISTS (SELECT 1 FROM json_each(body, '$.data.mentions') AS mention WHERE mention.key = ?)",
    values: [uid],
  };
}

/** Holds for texts that are not deleted. */
export function isText(): Condition {
  return { sql: "category = 'message' AND type = 'text' AND deleted_at IS NULL", values: [] };
}

/** Holds for all but action messages. */
export function isNoAction(): Condition {
  return { sql: "category <> 'action'", values: [] };
}

/** Holds for messages that were moderated, and with a status only for those that have it. */
export function isModerated(status: string | undefined): Condition[] {
  const isJudged: Condition = { sql: "json_type(body, '$.data.moderation') = 'object'", values: [] };
  if (status === undefined) return [isJudged];
  return [isJudged, { sql: "json_extract(body, '$.data.moderation.status') = ?", values: [status] }];
}
