import { allowedValues } from "../access/enforce.ts";
import { ensure, ensureField, messageNotFound, notJoined } from "../errors/platform-error.ts";
import { optionalFlag, optionalTags } from "../http/fields.ts";
import { acknowledge, cursorMeta, pageMeta, readCursor, readPage, reply } from "../http/reply.ts";
import { type AppRequest, appFamily } from "../http/route.ts";
import { defined, isJsonObject, type JsonObject, omit } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { type Condition, listCondition } from "../store/condition.ts";
import { forgetUnread, sumUnread } from "../store/conversations.ts";
import { findGroup, findMember } from "../store/groups.ts";
import {
  beyondId,
  messageConditions,
  ofConversation,
  oneToOneOf,
  pageVisibleTo,
  readerConditions,
  visibleTo,
} from "../store/message-conditions.ts";
import {
  countMessages,
  deleteMessageRow,
  type Message,
  putMessage,
  type Recipient,
  selectMessagePage,
  type Verdict,
  withModeration,
} from "../store/messages.ts";
import { findUser, systemUser } from "../store/users.ts";
import { emitDecision, emitMessageChanged } from "../webhooks/message-events.ts";
import { groupConversationId, userConversationId } from "../wire/show.ts";
import { requireGroup, requireUser } from "./lookup.ts";
import { sendFrom } from "./message-send.ts";
import { buildActionMessage, mentionedUsers, recordDeleted, storeActionMessage } from "./message-store.ts";
import { checkText, readMessageData } from "./message-validate.ts";
import { presentMessage, presentMessages, requireMessage } from "./message-view.ts";

const route = appFamily("docs/internals/platform/messages.md#messages", { onBehalfOf: "optional" });

// Checked, although they have no effect here or only with others.
const unreadParameters = {
  query: { mentionsWithBlockedInfo: "boolean", mentionsWithTagInfo: "boolean", toTimestamp: "integer" },
} as const;

export const messageRoutes = [
  route("send-message", "POST /messages", (request) => sendFrom(request, request.actor ?? systemUser), [
    "Without onBehalfOf the sender is app_system.",
    "multipleReceivers answers per-item results under `uids` and `guids`.",
    "More than 10 mentioned users are refused with ERR_BAD_REQUEST.",
    "A form has the names of the JSON body as fields, JSON in data, tags and multipleReceivers; each file becomes an attachment.",
    "A user who has not joined a group cannot write to it: ERR_GROUP_NOT_JOINED.",
  ]),
  route(
    "list-all-messages",
    "GET /messages",
    listAllMessages,
    [
      "Oldest first within an answer; without `affix` from the beginning.",
      "`count=true` answers {count} alone.",
      "One-to-one messages carry deliveredAt and readAt of their receiver.",
      "Replies count as unread; messages of the categories message, custom and interactive count.",
    ],
    { input: unreadParameters },
  ),
  route("get-message-details", "GET /messages/{id}", (request) =>
    presentMessage(request, requireMessage(request)),
  ),
  route(
    "update-message",
    "PUT /messages/{id}",
    updateMessage,
    ["A blocked edit is reported by moderation_engine_blocked, as a blocked message is."],
    { input: { needs: { any: ["data", "tags"] } } },
  ),
  route("delete-message", "DELETE /messages/{id}", removeMessage, [
    "The answer's action is `deleted`.",
    "`permanent` answers an acknowledgement, also for a message that is deleted already; that fires nothing.",
  ]),
  route(
    "user-list-user-messages",
    "GET /users/{uid}/messages",
    listUserMessages,
    ["Without onBehalfOf all one-to-one messages of the user are listed."],
    { input: unreadParameters },
  ),
  route(
    "user-list-group-messages",
    "GET /groups/{guid}/messages",
    listGroupMessages,
    ["A user who has not joined the group is refused: ERR_GROUP_NOT_JOINED."],
    { input: unreadParameters },
  ),
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

/**
 * Answers GET /users/{uid}/messages: those between the path's user and the acting one, or (assumed) all
 * one-to-one messages of the path's user when the app itself asks. The one message list with pages instead of
 * cursors.
 */
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
  // Always oldest first within an answer: the direction is not documented.
  const messages = selectMessagePage(request, {
    conditions: [...filters, ...beyondId(cursor.affix, cursor.id)],
    affix: cursor.affix,
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

/** @see docs/internals/platform/messages.md#action-messages */
async function updateMessage(request: AppRequest) {
  const data = readMessageData(request.body);
  if (Object.hasOwn(data, "text")) checkText(data);
  const tags = optionalTags(request.body);
  ensureField(
    Object.keys(data).length !== 0 || tags !== undefined,
    "data",
    "One of data and tags must hold what to change.",
  );
  const at = nowSeconds(request);
  const edit = (): Message => {
    const message = requireChangeable(request);
    if (message.deletedAt !== undefined) throw messageNotFound();
    return {
      ...message,
      data: mergeData(request, message.data, data),
      editedAt: at,
      editedBy: actorUid(request),
      ...(request.switches.changesMoveUpdatedAt && { updatedAt: at }),
      ...defined({ tags }),
    };
  };
  const verdict = await request.moderate(request, edit());
  return request.db.transaction(() => {
    const edited = edit(); // it may have changed while the customer's service was asked
    return recordChange(request, "edited", verdict ? withModeration(edited, verdict) : edited, verdict);
  });
}

/** Keeps the row, content included, with `deletedAt`; removes it if `permanent`, also later. */
export function removeMessage(request: AppRequest): object {
  const message = requireChangeable(request);
  const isPermanent = optionalFlag(request.body, "permanent") === true;
  if (message.deletedAt !== undefined) {
    if (!isPermanent) throw messageNotFound();
    return purge(request, message.id);
  }
  const at = nowSeconds(request);
  const changed: Message = {
    ...omit(message, "pinnedBy", "pinnedAt"),
    deletedAt: at,
    deletedBy: actorUid(request),
    ...(request.switches.changesMoveUpdatedAt && { updatedAt: at }),
  };
  const actionMessage = recordChange(request, "deleted", changed);
  return isPermanent ? purge(request, message.id) : actionMessage;
}

function purge(request: AppRequest, id: string) {
  deleteMessageRow(request, id);
  return acknowledge(`Message with id ${id} has been deleted successfully.`);
}

function recordChange(
  request: AppRequest,
  action: "edited" | "deleted",
  changed: Message,
  verdict?: Verdict,
) {
  const isBlocked = verdict?.outcome === "disapproved";
  putMessage(request, changed);
  if (action === "deleted") recordDeleted(request, changed);
  if (isBlocked) forgetUnread(request, changed);
  const recordAction = isBlocked ? buildActionMessage : storeActionMessage; // it shows what was blocked
  const actionMessage = recordAction(request, {
    by: request.actor ?? systemUser,
    recipient: recipientOf(request, changed),
    conversationId: changed.conversationId,
    type: "message",
    action,
    on: { entity: changed, entityType: "message" },
  });
  if (!isBlocked || request.switches.blockedMessageEvents === "besidesSent") {
    emitMessageChanged(request, { action, changed, actionMessage });
  }
  if (verdict !== undefined) emitDecision(request, changed, verdict);
  if (action === "edited") request.announce(request.app, "messageEdited", { message: changed, verdict });
  return actionMessage;
}

function requireChangeable(request: AppRequest) {
  const message = requireMessage(request);
  ensure(
    message.category !== "action" && message.category !== "call",
    "ERR_MESSAGE_ACTION_NOT_ALLOWED",
    `A message of category ${message.category} cannot be changed.`,
  );
  ensure(
    request.actor === undefined || request.actor.uid === message.sender || isModeratorOf(request, message),
    "ERR_MESSAGE_NOT_A_SENDER",
    `The user ${request.actor?.uid} is not the sender of the message ${message.id}.`,
  );
  return message;
}

/** @see docs/internals/platform/messages.md#editing-and-deleting */
function isModeratorOf(request: AppRequest, { receiverType, receiver }: Message) {
  if (request.actor === undefined || receiverType !== "group") return false;
  const member = findMember(request, receiver, request.actor.uid);
  return member !== undefined && member.scope !== "participant";
}

function mergeData(request: AppRequest, stored: JsonObject, sent: JsonObject) {
  const { entities, mentions: _mentions, ...rest } = stored;
  const merged: JsonObject = { ...rest, ...sent };
  const mentions = mentionedUsers(request, merged.text);
  return {
    ...merged,
    ...defined({ mentions }),
    ...(isJsonObject(entities) && { entities }),
  };
}

// The receiver may no longer exist.
function recipientOf(request: AppRequest, message: Message): Recipient {
  if (message.receiverType === "group") {
    const group = findGroup(request, message.receiver);
    return {
      type: "group",
      group: group ?? {
        guid: message.receiver,
        name: message.receiver,
        type: "public",
        membersCount: 0,
        conversationId: message.conversationId,
        createdAt: 0,
        owner: systemUser.uid,
      },
    };
  }
  const user = findUser(request, message.receiver);
  return { type: "user", user: user ?? { ...systemUser, uid: message.receiver, name: message.receiver } };
}

function actorUid(request: AppRequest) {
  return request.actor?.uid ?? systemUser.uid;
}
