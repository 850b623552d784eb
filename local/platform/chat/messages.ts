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

const route = appFamily("docs/internals/platform/messages.md#messages");

export const messageRoutes = [
  route(
    "send-message",
    (request) => sendFrom(request, request.actor ?? systemUser),
    [
      "Without onBehalfOf the sender is app_system.",
      "multipleReceivers answers per-item results under `uids` and `guids`.",
      "More than 10 mentioned users are refused with ERR_BAD_REQUEST.",
      "A form has the names of the JSON body as fields, JSON in data, tags and multipleReceivers; each file becomes an attachment.",
      "A user who has not joined a group cannot write to it: ERR_GROUP_NOT_JOINED.",
      "What the user cannot read, or is deleted, cannot be quoted.",
    ],
    { checksBody: true },
  ),
  route("list-all-messages", listAllMessages, [
    "Oldest first within an answer; without `affix` as with `append`.",
    "`count=true` answers {count} alone.",
    "One-to-one messages carry deliveredAt and readAt of their receiver.",
    "Replies count as unread; messages of the categories message, custom and interactive count.",
  ]),
  route("get-message-details", (request) => presentMessage(request, requireMessage(request))),
  route("update-message", updateMessage, [
    "A blocked edit is reported by moderation_engine_blocked, as a blocked message is.",
    "Rules look at an edit of text, attachments or custom data.",
    "What a human disapproved stays so, and is not judged again.",
  ]),
  route("delete-message", removeMessage, [
    "The answer's action is `deleted`.",
    "`permanent` answers an acknowledgement, also for a message that is deleted already; that fires nothing.",
    "`permanent` leaves ids and profiles in action messages, quotes and moderation's lists.",
  ]),
  route("user-list-user-messages", listUserMessages, [
    "Without onBehalfOf all one-to-one messages of the user are listed.",
  ]),
  route("user-list-group-messages", listGroupMessages, [
    "A user who has not joined the group is refused: ERR_GROUP_NOT_JOINED.",
  ]),
];

function listAllMessages(request: AppRequest) {
  const { actor, query } = request;
  if (actor === undefined) return listByCursor(request, []);
  const isUnreadCount = query.flag("unread") && query.flag("count");
  if (isUnreadCount && query.hasOnly(["unread", "count"])) {
    return { count: sumUnread(request, actor.uid) };
  }
  // What is unread or undelivered is in the user's conversations anyway.
  if (query.flag("unread") || query.flag("undelivered")) return listByCursor(request, []);
  const isCount = query.flag("count") === true;
  return listByCursor(request, [
    isCount ? visibleTo(request.appId, actor.uid) : pageVisibleTo(request, actor.uid),
  ]);
}

function listGroupMessages(request: AppRequest) {
  const { guid } = requireGroup(request);
  if (request.actor !== undefined && findMember(request, guid, request.actor.uid) === undefined) {
    throw notJoined(request.actor.uid, guid);
  }
  return listByCursor(request, [ofConversation(groupConversationId(guid))]);
}

/** The one message list by pages. Without an acting user, all one-to-one messages (assumed). */
function listUserMessages(request: AppRequest) {
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
  const messages = selectMessagePage(request, { conditions, affix, limit: page.limit, offset: page.offset });
  const edge = affix === "prepend" ? messages.at(0) : messages.at(-1);
  return reply(presentMessages(request, messages), {
    meta: {
      ...pageMeta(page, countMessages(request, conditions), messages.length),
      ...(edge !== undefined && { cursor: { id: edge.id, affix } }),
    },
  });
}

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
