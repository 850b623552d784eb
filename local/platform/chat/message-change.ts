import { badRequest, messageNotFound, PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalTags } from "../http/fields.ts";
import { acknowledge, type Reply, reply } from "../http/reply.ts";
import type { AppRequest } from "../http/route.ts";
import { defined, isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { findGroup } from "../store/groups.ts";
import { deleteMessageRow, type Message, putMessage, type Recipient } from "../store/messages.ts";
import { findUser, systemUser } from "../store/users.ts";
import { emitMessageChanged } from "../webhooks/message-events.ts";
import { messageEntity } from "../wire/show.ts";
import { requireMessage } from "./message-access.ts";
import { mentionedUsers, recordDeleted, storeActionMessage } from "./message-store.ts";
import { checkText, readMessageData } from "./message-validate.ts";

/** Answers PUT /messages/{id} with the action message. @see docs/platform/messages.md#action-messages */
export function updateMessage(request: AppRequest): Reply {
  const message = requireChangeable(request);
  const data = readMessageData(request.body);
  if (Object.hasOwn(data, "text")) checkText(data);
  const tags = optionalTags(request.body);
  if (Object.keys(data).length === 0 && tags === undefined) {
    throw badRequest({ data: "One of data and tags must hold what to change." });
  }
  const at = nowSeconds(request);
  const changed: Message = {
    ...message,
    data: mergeData(request, message.data, data),
    editedAt: at,
    editedBy: actorUid(request),
    ...(request.switches.changesMoveUpdatedAt ? { updatedAt: at } : {}),
    ...defined({ tags }),
  };
  return recordChange(request, "edited", changed);
}

/** Answers DELETE /messages/{id}: keeps the row with `deletedAt`, or removes it when `permanent`. */
export function removeMessage(request: AppRequest): Reply {
  const message = requireChangeable(request);
  const at = nowSeconds(request);
  const { text: _text, attachments: _attachments, customData: _customData, ...kept } = message.data;
  const { pinnedBy: _pinnedBy, pinnedAt: _pinnedAt, ...unpinned } = message;
  const changed: Message = {
    ...unpinned,
    data: kept,
    deletedAt: at,
    deletedBy: actorUid(request),
    ...(request.switches.changesMoveUpdatedAt ? { updatedAt: at } : {}),
  };
  if (optionalFlag(request.body, "permanent") !== true) return recordChange(request, "deleted", changed);
  recordChange(request, "deleted", changed);
  deleteMessageRow(request, message.id);
  return acknowledge(`Message with id ${message.id} has been deleted successfully.`);
}

function recordChange(request: AppRequest, action: "edited" | "deleted", changed: Message): Reply {
  const actionMessage = request.db.transaction(() => {
    putMessage(request, changed);
    if (action === "deleted") recordDeleted(request, changed);
    return storeActionMessage(request, {
      by: request.actor ?? systemUser,
      recipient: recipientOf(request, changed),
      conversationId: changed.conversationId,
      type: "message",
      action,
      on: messageEntity(changed),
    });
  });
  emitMessageChanged(request, { action, changed, actionMessage });
  return reply(actionMessage);
}

function requireChangeable(request: AppRequest): Message {
  const message = requireMessage(request);
  if (message.deletedAt !== undefined) throw messageNotFound();
  if (message.category === "action" || message.category === "call") {
    throw new PlatformError(
      "ERR_MESSAGE_ACTION_NOT_ALLOWED",
      `A message of category ${message.category} cannot be changed.`,
    );
  }
  if (request.actor !== undefined && request.actor.uid !== message.sender) {
    throw new PlatformError(
      "ERR_MESSAGE_NOT_A_SENDER",
      `The user ${request.actor.uid} is not the sender of the message ${message.id}.`,
    );
  }
  return message;
}

function mergeData(request: AppRequest, stored: JsonObject, sent: JsonObject): JsonObject {
  const { entities, mentions: _mentions, ...rest } = stored;
  const merged: JsonObject = { ...rest, ...sent };
  const mentions = mentionedUsers(request, merged.text);
  return {
    ...merged,
    ...defined({ mentions }),
    ...(isJsonObject(entities) ? { entities } : {}),
  };
}

// The receiver may be gone by now; the action message then shows the little that is known of it.
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

function actorUid(request: AppRequest): string {
  return request.actor?.uid ?? systemUser.uid;
}
