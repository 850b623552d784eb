import { groupNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { cursorMeta, readCursor } from "../http/cursor.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { countReply, type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import type { Condition } from "../store/condition.ts";
import { findGroup, findMember } from "../store/groups.ts";
import { beyondId, ofConversation, oneToOneOf } from "../store/message-conditions.ts";
import { countMessages, selectMessages } from "../store/messages.ts";
import { notCleared, pageVisibleTo, visibleTo } from "../store/reader-conditions.ts";
import { sumUnread } from "../store/unread-counts.ts";
import { groupConversationId, userConversationId } from "../wire/show.ts";
import { messageFilters, readerFilters } from "./message-filters.ts";
import { presentMessages } from "./message-view.ts";
import { requireUser } from "./user-lookup.ts";

/** Answers GET /messages: the app's messages, or those the acting user can see. */
export function listAllMessages(request: AppRequest): Reply {
  const { actor, query } = request;
  if (actor === undefined) return listByCursor(request, []);
  const isUnreadCount = query.flag("unread") === true && query.flag("count") === true;
  if (isUnreadCount && query.hasOnly(["unread", "count"])) {
    return countReply(sumUnread(request.db, request.app.appId, actor.uid));
  }
  // What is unread or undelivered is in the user's conversations anyway.
  if (query.flag("unread") === true || query.flag("undelivered") === true) return listByCursor(request, []);
  const isCount = query.flag("count") === true;
  const { appId } = request.app;
  return listByCursor(request, [
    isCount ? visibleTo(appId, actor.uid) : pageVisibleTo(request.db, appId, actor.uid),
  ]);
}

/** Answers GET /groups/{guid}/messages. */
export function listGroupMessages(request: AppRequest): Reply {
  const guid = request.param("guid").toLowerCase();
  if (findGroup(request.db, request.app.appId, guid) === undefined)
    throw groupNotFound(request.param("guid"));
  const { actor } = request;
  if (actor !== undefined && findMember(request.db, request.app.appId, guid, actor.uid) === undefined) {
    throw new PlatformError(
      "ERR_GROUP_NOT_JOINED",
      `The user ${actor.uid} has not joined the group ${guid}.`,
    );
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
  if (request.query.flag("count") === true)
    return countReply(countMessages(request.db, request.app.appId, filters));
  const conditions = [...filters, ...idCondition(affix, request.query.text("id"))];
  const found = selectMessages(request.db, {
    appId: request.app.appId,
    conditions,
    newestFirst: affix === "prepend",
    limit: page.limit,
    offset: page.offset,
  });
  const messages = affix === "prepend" ? found.reverse() : found;
  const edge = affix === "prepend" ? messages.at(0) : messages.at(-1);
  return reply(presentMessages(request, messages), {
    meta: {
      ...pageMeta(page, countMessages(request.db, request.app.appId, conditions), messages.length),
      ...(edge === undefined ? {} : { cursor: { id: edge.id, affix } }),
    },
  });
}

/** Answers a message list in cursor style below the given conditions and the query's filters. */
export function listByCursor(request: AppRequest, conditions: Condition[]): Reply {
  const filters = [...conditions, ...sharedFilters(request)];
  if (request.query.flag("count") === true)
    return countReply(countMessages(request.db, request.app.appId, filters));
  const cursor = readCursor(request.query, request.switches.defaultMessageLimit);
  const isBackwards = cursor.affix === "prepend";
  const found = selectMessages(request.db, {
    appId: request.app.appId,
    conditions: [...filters, ...idCondition(cursor.affix, cursor.id)],
    newestFirst: isBackwards,
    limit: cursor.limit,
  });
  // Always oldest first within an answer: the direction is not documented.
  const messages = isBackwards ? found.reverse() : found;
  return reply(presentMessages(request, messages), { meta: cursorMeta(cursor, messages) });
}

function sharedFilters(request: AppRequest): Condition[] {
  const cleared =
    request.actor === undefined ? [] : notCleared(request.db, request.app.appId, request.actor.uid);
  return [...messageFilters(request), ...readerFilters(request), ...cleared];
}

/** Makes the condition of an `id` cursor; a text that is no message id is passed over. */
export function idCondition(affix: string, id: string | undefined): Condition[] {
  if (id === undefined || !/^\d{1,15}$/.test(id)) return [];
  return [beyondId(Number(id), affix === "prepend" ? "before" : "after")];
}
