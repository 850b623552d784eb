import { allowedValues } from "../access/enforce.ts";
import { notJoined } from "../errors/platform-error.ts";
import { countReply, cursorMeta, pageMeta, type Reply, readCursor, readPage, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { defined } from "../json.ts";
import type { Condition } from "../store/condition.ts";
import { findMember } from "../store/groups.ts";
import {
  afterMark,
  beyondId,
  type ContentFilter,
  mentioning,
  messageConditions,
  notCleared,
  notFromBlocked,
  ofConversation,
  oneToOneOf,
  pageVisibleTo,
  visibleTo,
} from "../store/message-conditions.ts";
import { countMessages, type Message, selectMessages } from "../store/messages.ts";
import { sumUnread } from "../store/unread-counts.ts";
import { groupConversationId, userConversationId } from "../wire/show.ts";
import { requireGroup } from "./group-lookup.ts";
import { presentMessages } from "./message-view.ts";
import { requireUser } from "./user-lookup.ts";

/** Answers GET /messages: the app's messages, or those the acting user can see. */
export function listAllMessages(request: AppRequest): Reply {
  const { actor, query } = request;
  if (actor === undefined) return listByCursor(request, []);
  const isUnreadCount = query.flag("unread") === true && query.flag("count") === true;
  if (isUnreadCount && query.hasOnly(["unread", "count"])) {
    return countReply(sumUnread(request, actor.uid));
  }
  // What is unread or undelivered is in the user's conversations anyway.
  if (query.flag("unread") === true || query.flag("undelivered") === true) return listByCursor(request, []);
  const isCount = query.flag("count") === true;
  const { appId } = request;
  return listByCursor(request, [isCount ? visibleTo(appId, actor.uid) : pageVisibleTo(request, actor.uid)]);
}

/** Answers GET /groups/{guid}/messages. */
export function listGroupMessages(request: AppRequest): Reply {
  const { guid } = requireGroup(request);
  const { actor } = request;
  if (actor !== undefined && findMember(request, guid, actor.uid) === undefined) {
    throw notJoined(actor.uid, guid);
  }
  return listByCursor(request, [ofConversation(groupConversationId(guid))]);
}

/**
 * Answers GET /users/{uid}/messages: those between the path's user and the acting one, or (assumed) all one-to-one
 * messages of the path's user when the app itself asks. The one message list with pages instead of cursors.
 */
export function listUserMessages(request: AppRequest): Reply {
  const { uid } = requireUser(request);
  const own =
    request.actor === undefined
      ? oneToOneOf(uid)
      : ofConversation(userConversationId(request.actor.uid, uid));
  const page = readPage(request.query, request.query.integer("limit") ?? 100);
  const affix = request.query.text("affix") ?? "append";
  const filters = [own, ...sharedFilters(request)];
  if (request.query.flag("count") === true) return countReply(countMessages(request, filters));
  const conditions = [...filters, ...idCondition(affix, request.query.text("id"))];
  const found = selectMessages(request, {
    conditions,
    newestFirst: affix === "prepend",
    limit: page.limit,
    offset: page.offset,
  });
  const messages = affix === "prepend" ? found.reverse() : found;
  const edge = affix === "prepend" ? messages.at(0) : messages.at(-1);
  return reply(presentMessages(request, messages), {
    meta: {
      ...pageMeta(page, countMessages(request, conditions), messages.length),
      ...(edge === undefined ? {} : { cursor: { id: edge.id, affix } }),
    },
  });
}

/** Answers a message list in cursor style below the given conditions and the query's filters. */
export function listByCursor(request: AppRequest, conditions: Condition[]): Reply {
  const filters = [...conditions, ...sharedFilters(request)];
  if (request.query.flag("count") === true) return countReply(countMessages(request, filters));
  const cursor = readCursor(request.query, request.switches.defaultMessageLimit);
  const isBackwards = cursor.affix === "prepend";
  const found = selectMessages(request, {
    conditions: [...filters, ...idCondition(cursor.affix, cursor.id)],
    newestFirst: isBackwards,
    limit: cursor.limit,
  });
  // Always oldest first within an answer: the direction is not documented.
  const messages = isBackwards ? found.reverse() : found;
  return reply(presentMessages(request, messages), { meta: cursorMeta(cursor, messages, messagePosition) });
}

function sharedFilters(request: AppRequest): Condition[] {
  const cleared = request.actor === undefined ? [] : notCleared(request, request.actor.uid);
  return [...messageFilters(request), ...readerFilters(request), ...cleared];
}

/** Makes the condition of an `id` cursor; a text that is no message id is passed over. */
export function idCondition(affix: string, id: string | undefined): Condition[] {
  if (id === undefined || !/^\d{1,15}$/.test(id)) return [];
  return [beyondId(Number(id), affix === "prepend" ? "before" : "after")];
}

/** Reads the filters that message lists share. @see docs/platform/messages.md#listing-messages */
function messageFilters(request: AppRequest): Condition[] {
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
function readerFilters({ query, actor, app }: AppRequest): Condition[] {
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
  return { from, ...defined({ to }) };
}

/** Returns the position of a message in a list. */
export function messagePosition({ sentAt, id }: Message): JsonObject {
  return { sentAt, id };
}
