import { allowedValues } from "../access/enforce.ts";
import type { AppRequest } from "../http/route.ts";
import type { Condition } from "../store/condition.ts";
import { mentioning } from "../store/message-conditions.ts";
import { type ContentFilter, messageConditions } from "../store/message-filter.ts";
import { afterMark, notFromBlocked } from "../store/reader-conditions.ts";

/** Reads the filters that message lists share. @see docs/platform/messages.md#listing-messages */
export function messageFilters(request: AppRequest): Condition[] {
  const { query } = request;
  const sentAt = query.integer("sentAt");
  const sentBeyond = query.text("id") === undefined ? sentAt : undefined;
  const isBackwards = query.text("affix") === "prepend";
  return messageConditions({
    category: query.text("category"),
    categories: query.list("categories"),
    type: query.text("type"),
    types: query.list("types"),
    sender: query.text("sender"),
    senders: query.list("senders"),
    receiverType: query.text("receiverType"),
    conversationId: query.text("conversationId"),
    tags: query.list("tags"),
    sentAt: query.range("sentAt"),
    editedAt: query.range("editedAt"),
    timestamps: timestamps(request),
    // Never-updated messages are left out (docs/platform/answers-and-errors.md#array-and-range-parameters).
    updatedAt: query.range("updatedAt"),
    ...(isBackwards ? { sentBefore: sentBeyond } : { sentAfter: sentBeyond }),
    hideDeleted: query.flag("hideDeleted"),
    onlyDeleted: query.flag("onlyDeleted"),
    hideReplies: query.flag("hideReplies"),
    allowedCategories: allowedValues(request, "listMessages.allowedMessageCategories"),
    allowedTypes: allowedValues(request, "listMessages.allowedMessageTypes"),
    // Only its sender still sees a message that moderation blocked (assumed); the app itself sees all.
    unblockedFor: request.actor?.uid,
    content: contentFilter(request),
  });
}

/**
 * Reads `unread`, `undelivered`, `myMentionsOnly` and `hideMessagesFromBlockedUsers`. Without onBehalfOf they have no
 * effect (assumed).
 */
export function readerFilters({ query, actor, app }: AppRequest): Condition[] {
  if (actor === undefined) return [];
  const { uid } = actor;
  return [
    ...(query.flag("unread") === true ? afterMark(app.appId, uid, "read") : []),
    ...(query.flag("undelivered") === true ? afterMark(app.appId, uid, "delivered") : []),
    ...(query.flag("myMentionsOnly") === true ? [mentioning(uid)] : []),
    ...(query.flag("hideMessagesFromBlockedUsers") === true ? [notFromBlocked(app.appId, uid)] : []),
  ];
}

function contentFilter({ query }: AppRequest): ContentFilter {
  return {
    // An empty key searches for nothing.
    text: query.text("searchKey") || undefined,
    hasAttachments: query.flag("hasAttachments"),
    attachmentTypes: query.list("attachmentTypes"),
    hasMentions: query.flag("hasMentions"),
    mentionedUids: query.list("mentionedUids"),
    hasLinks: query.flag("hasLinks"),
    hasReactions: query.flag("hasReactions"),
  };
}

// `toTimestamp` counts only together with `fromTimestamp` (docs/platform/messages.md#listing-messages).
function timestamps(request: AppRequest): { from?: number; to?: number } | undefined {
  const from = request.query.integer("fromTimestamp");
  if (from === undefined) return undefined;
  const to = request.query.integer("toTimestamp");
  return { from, ...(to === undefined ? {} : { to }) };
}
