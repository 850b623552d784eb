import { groupNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { cursorMeta, readCursor } from "../http/cursor.ts";
import { pageMeta, readPage } from "../http/pagination.ts";
import { countReply, type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import type { Condition } from "../store/condition.ts";
import { sumUnread } from "../store/conversations.ts";
import { findGroup, findMember } from "../store/groups.ts";
import { beyondId, ofConversation, oneToOneOf } from "../store/message-conditions.ts";
import { countMessages, selectMessages } from "../store/messages.ts";
import { notCleared, pageVisibleTo, visibleTo } from "../store/reader-conditions.ts";
import { groupConversationId, userConversationId } from "../wire/show.ts";
import { messageFilters, readerFilters } from "./message-filters.ts";
import { presentMessages } from "./message-view.ts";
import { requireUser } from "./user-lookup.ts";

/** Answers GET /messages: the app's messages, or those the acting user can see. */
export function listAllMessages(call: AppCall): Reply {
  const { actor, query } = call;
  if (actor === undefined) return listByCursor(call, []);
  const isUnreadCount = query.flag("unread") === true && query.flag("count") === true;
  if (isUnreadCount && query.hasOnly(["unread", "count"])) {
    return countReply(sumUnread(call.db, call.app.appId, actor.uid));
  }
  // What is unread or undelivered is in the user's conversations anyway.
  if (query.flag("unread") === true || query.flag("undelivered") === true) return listByCursor(call, []);
  const isCount = query.flag("count") === true;
  const { appId } = call.app;
  return listByCursor(call, [
    isCount ? visibleTo(appId, actor.uid) : pageVisibleTo(call.db, appId, actor.uid),
  ]);
}

/** Answers GET /groups/{guid}/messages. */
export function listGroupMessages(call: AppCall): Reply {
  const guid = call.param("guid").toLowerCase();
  if (findGroup(call.db, call.app.appId, guid) === undefined) throw groupNotFound(call.param("guid"));
  const { actor } = call;
  if (actor !== undefined && findMember(call.db, call.app.appId, guid, actor.uid) === undefined) {
    throw new PlatformError(
      "ERR_GROUP_NOT_JOINED",
      `The user ${actor.uid} has not joined the group ${guid}.`,
    );
  }
  return listByCursor(call, [ofConversation(groupConversationId(guid))]);
}

/**
 * Answers GET /users/{uid}/messages: those between the path's user and the acting one, or (assumed) all one-to-one
 * messages of the path's user when the app itself asks. The one message list with pages instead of cursors.
 */
export function listUserMessages(call: AppCall): Reply {
  const { uid } = requireUser(call);
  const own =
    call.actor === undefined ? oneToOneOf(uid) : ofConversation(userConversationId(call.actor.uid, uid));
  const page = readPage(call.query, call.query.integer("limit") ?? 100);
  const affix = call.query.text("affix") ?? "append";
  const filters = [own, ...sharedFilters(call)];
  if (call.query.flag("count") === true) return countReply(countMessages(call.db, call.app.appId, filters));
  const conditions = [...filters, ...idCondition(affix, call.query.text("id"))];
  const found = selectMessages(call.db, {
    appId: call.app.appId,
    conditions,
    newestFirst: affix === "prepend",
    limit: page.limit,
    offset: page.offset,
  });
  const messages = affix === "prepend" ? found.reverse() : found;
  const edge = affix === "prepend" ? messages.at(0) : messages.at(-1);
  return reply(presentMessages(call, messages), {
    meta: {
      ...pageMeta(page, countMessages(call.db, call.app.appId, conditions), messages.length),
      ...(edge === undefined ? {} : { cursor: { id: edge.id, affix } }),
    },
  });
}

/** Answers a message list in cursor style below the given conditions and the query's filters. */
export function listByCursor(call: AppCall, conditions: Condition[]): Reply {
  const filters = [...conditions, ...sharedFilters(call)];
  if (call.query.flag("count") === true) return countReply(countMessages(call.db, call.app.appId, filters));
  const cursor = readCursor(call.query, call.switches.defaultMessageLimit);
  const isBackwards = cursor.affix === "prepend";
  const found = selectMessages(call.db, {
    appId: call.app.appId,
    conditions: [...filters, ...idCondition(cursor.affix, cursor.id)],
    newestFirst: isBackwards,
    limit: cursor.limit,
  });
  // Always oldest first within an answer: the direction is not documented.
  const messages = isBackwards ? found.reverse() : found;
  return reply(presentMessages(call, messages), { meta: cursorMeta(cursor, messages) });
}

function sharedFilters(call: AppCall): Condition[] {
  const cleared = call.actor === undefined ? [] : notCleared(call.db, call.app.appId, call.actor.uid);
  return [...messageFilters(call), ...readerFilters(call), ...cleared];
}

/** Makes the condition of an `id` cursor; a text that is no message id is passed over. */
export function idCondition(affix: string, id: string | undefined): Condition[] {
  if (id === undefined || !/^\d{1,15}$/.test(id)) return [];
  return [beyondId(Number(id), affix === "prepend" ? "before" : "after")];
}
