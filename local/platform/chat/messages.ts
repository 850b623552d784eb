import { allowedValues } from "../access/enforce.ts";
import { notJoined } from "../errors/platform-error.ts";
import {
  type AppRequest,
  appFamily,
  cursorMeta,
  pageMeta,
  readCursor,
  readPage,
  reply,
} from "../http/route.ts";
import type { JsonObject } from "../json.ts";
import { sumUnread } from "../store/conversations.ts";
import { findMember } from "../store/groups.ts";
import {
  beyondId,
  messageConditions,
  ofConversation,
  oneToOneOf,
  pageVisibleTo,
  readerConditions,
  visibleTo,
} from "../store/message-conditions.ts";
import { countMessages, type Message, selectMessagePage } from "../store/messages.ts";
import { type Condition, listCondition } from "../store/query.ts";
import { systemUser } from "../store/users.ts";
import { groupConversationId, userConversationId } from "../wire/show.ts";
import { requireGroup, requireUser } from "./lookup.ts";
import { removeMessage, updateMessage } from "./message-change.ts";
import { sendFrom } from "./message-send.ts";
import { presentMessage, presentMessages, requireMessage } from "./message-view.ts";

export const messageRoutes = appFamily({
  "send-message": { checksBody: true, handler: (request) => sendFrom(request, request.actor ?? systemUser) },
  "list-all-messages"(request) {
    const { actor, query } = request;
    if (actor === undefined) return listByCursor(request, []);
    const isUnreadCount = query.flag("unread") && query.flag("count");
    if (isUnreadCount && query.hasOnly(["unread", "count"])) {
      return { count: sumUnread(request, actor.uid) };
    }
    // The user's conversations have all unread and undelivered messages.
    if (query.flag("unread") || query.flag("undelivered")) return listByCursor(request, []);
    const isCount = query.flag("count") === true;
    return listByCursor(request, [
      isCount ? visibleTo(request.appId, actor.uid) : pageVisibleTo(request, actor.uid),
    ]);
  },
  "get-message-details": (request) => presentMessage(request, requireMessage(request)),
  "update-message": updateMessage,
  "delete-message": removeMessage,
  /**
   * By pages, unlike other message lists. Without an acting user, lists all one-to-one messages (assumed).
   */
  "user-list-user-messages"(request) {
    const { uid } = requireUser(request);
    const own =
      request.actor === undefined
        ? oneToOneOf(uid)
        : ofConversation(userConversationId(request.actor.uid, uid));
    const page = readPage(request.query, request.query.integer("limit") ?? 100);
    const affix = request.query.text("affix") ?? "append";
    const filters = [own, ...sharedFilters(request)];
    if (request.query.flag("count")) return { count: countMessages(request, filters) };
    const conditions = [...filters, ...beyondId(affix, request.query.text("id"))];
    const messages = selectMessagePage(request, {
      conditions,
      affix,
      limit: page.limit,
      offset: page.offset,
    });
    const edge = affix === "prepend" ? messages.at(0) : messages.at(-1);
    return reply(presentMessages(request, messages), {
      meta: {
        ...pageMeta(page, countMessages(request, conditions), messages.length),
        ...(edge !== undefined && { cursor: { id: edge.id, affix } }),
      },
    });
  },
  "user-list-group-messages"(request) {
    const { guid } = requireGroup(request);
    if (request.actor !== undefined && findMember(request, guid, request.actor.uid) === undefined) {
      throw notJoined(request.actor.uid, guid);
    }
    return listByCursor(request, [ofConversation(groupConversationId(guid))]);
  },
});

export function listByCursor(request: AppRequest, conditions: Condition[]): object {
  const filters = [...conditions, ...sharedFilters(request)];
  if (request.query.flag("count")) return { count: countMessages(request, filters) };
  const cursor = readCursor(request.query, request.switches.defaultMessageLimit);
  const hasCursor = [cursor.id, request.query.text("sentAt")].some((text) => text !== undefined);
  const isFromEnd = !hasCursor && request.switches.messageListBegins === "newest";
  const messages = selectMessagePage(request, {
    conditions: [...filters, ...beyondId(cursor.affix, cursor.id)],
    affix: isFromEnd ? "prepend" : cursor.affix,
    limit: cursor.limit,
  });
  return reply(presentMessages(request, messages), { meta: cursorMeta(cursor, messages, messagePosition) });
}

function sharedFilters(request: AppRequest) {
  return [
    ...messageConditions(request.query),
    ...listCondition("category", allowedValues(request, "listMessages.allowedMessageCategories")),
    ...listCondition("type", allowedValues(request, "listMessages.allowedMessageTypes")),
    ...(request.actor === undefined ? [] : readerConditions(request, request.query, request.actor.uid)),
  ];
}

export function messagePosition({ sentAt, id }: Message): JsonObject {
  return { sentAt, id };
}
