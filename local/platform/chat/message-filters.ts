import { allowedValues } from "../access/enforce.ts";
import type { AppCall } from "../http/route.ts";
import { listCondition, rangeConditions, tagCondition } from "../http/sql-range.ts";
import type { Condition } from "../store/messages.ts";

/** Makes the conditions of the filters that message lists share. @see platform facts: chat-api §4 Messages */
export function messageFilters(call: AppCall): Condition[] {
  const { query } = call;
  const conditions: Condition[] = [
    ...equals("category", query.text("category")),
    ...listCondition("category", query.list("categories")),
    ...equals("type", query.text("type")),
    ...listCondition("type", query.list("types")),
    ...equals("sender", query.text("sender")),
    ...listCondition("sender", query.list("senders")),
    ...equals("receiver_type", query.text("receiverType")),
    ...equals("conversation_id", query.text("conversationId")),
    ...tagCondition(query.list("tags")),
    ...rangeConditions("sent_at", query.range("sentAt")),
    ...rangeConditions("edited_at", query.range("editedAt")),
    ...rangeConditions("sent_at", timestamps(call)),
  ];
  const updated = rangeConditions("updated_at", query.range("updatedAt"));
  // Never-updated messages are left out (platform facts: chat-api §3).
  if (updated.length > 0) conditions.push(...updated, { sql: "updated_at > sent_at", values: [] });
  const sentAfter = query.integer("sentAt");
  if (sentAfter !== undefined && query.text("id") === undefined) {
    conditions.push({
      sql: query.text("affix") === "prepend" ? "sent_at < ?" : "sent_at > ?",
      values: [sentAfter],
    });
  }
  if (query.flag("hideDeleted") === true) conditions.push({ sql: "deleted_at IS NULL", values: [] });
  if (query.flag("onlyDeleted") === true) conditions.push({ sql: "deleted_at IS NOT NULL", values: [] });
  if (query.flag("hideReplies") === true) conditions.push({ sql: "parent_id IS NULL", values: [] });
  const allowed = [
    ...listCondition("category", allowedValues(call, "listMessages.allowedMessageCategories")),
    ...listCondition("type", allowedValues(call, "listMessages.allowedMessageTypes")),
  ];
  return [...conditions, ...allowed, ...unblocked(call), ...contentFilters(call)];
}

// Only its sender still sees a message that moderation blocked (assumed); the app itself sees all.
function unblocked({ actor }: AppCall): Condition[] {
  if (actor === undefined) return [];
  return [
    {
      // Most bodies do not hold the word at all, which is found out faster than by parsing them.
      sql: `(sender = ? OR instr(body, 'disapproved') = 0
        OR coalesce(json_extract(body, '$.data.moderation.status'), '') <> 'disapproved')`,
      values: [actor.uid],
    },
  ];
}

function contentFilters(call: AppCall): Condition[] {
  const { query } = call;
  const conditions: Condition[] = [];
  const searchKey = query.text("searchKey");
  if (searchKey !== undefined && searchKey !== "") {
    conditions.push({
      sql: "instr(lower(coalesce(json_extract(body, '$.data.text'), '')), lower(?)) > 0",
      values: [searchKey],
    });
  }
  if (query.flag("hasAttachments") === true) {
    conditions.push({ sql: "json_type(body, '$.data.attachments') = 'array'", values: [] });
  }
  const attachmentTypes = query.list("attachmentTypes");
  if (attachmentTypes !== undefined) conditions.push(...listCondition("type", attachmentTypes));
  if (query.flag("hasMentions") === true) {
    conditions.push({ sql: "json_type(body, '$.data.mentions') = 'object'", values: [] });
  }
  const mentionedUids = query.list("mentionedUids");
  if (mentionedUids !== undefined) {
    conditions.push({
      sql: `EXISTS (SELECT 1 FROM json_each(body, '$.data.mentions') AS mention
        WHERE mention.key IN (SELECT value FROM json_each(?)))`,
      values: [JSON.stringify(mentionedUids)],
    });
  }
  if (query.flag("hasLinks") === true) {
    conditions.push({ sql: "json_extract(body, '$.data.text') GLOB '*http*://*'", values: [] });
  }
  if (query.flag("hasReactions") === true) {
    conditions.push({ sql: "json_type(body, '$.data.reactions') = 'array'", values: [] });
  }
  return conditions;
}

// `toTimestamp` counts only together with `fromTimestamp` (platform facts: chat-api §4 list-all-messages).
function timestamps(call: AppCall): { from?: number; to?: number } | undefined {
  const from = call.query.integer("fromTimestamp");
  if (from === undefined) return undefined;
  const to = call.query.integer("toTimestamp");
  return { from, ...(to === undefined ? {} : { to }) };
}

function equals(column: string, value: string | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];
}
