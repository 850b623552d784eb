import { messageNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalFlag, optionalTags } from "../http/fields.ts";
import { type Reply, reply } from "../http/reply.ts";
import type { AppCall } from "../http/route.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { nowSeconds } from "../services/services.ts";
import { findGroup } from "../store/groups.ts";
import type { Recipient } from "../store/message-draft.ts";
import { deleteMessageRow, type Message, putMessage } from "../store/messages.ts";
import { findUser, systemUser } from "../store/users.ts";
import { emitMessageChanged } from "../webhooks/message-events.ts";
import { messageEntity } from "../wire/show.ts";
import { requireMessage } from "./message-access.ts";
import { recordDeleted } from "./message-effects.ts";
import { mentionedUsers, storeActionMessage } from "./message-store.ts";
import { checkText, readMessageData } from "./message-validate.ts";

/** Answers PUT /messages/{id} with the action message. @see docs/platform/messages.md#action-messages */
export function updateMessage(call: AppCall): Reply {
  const message = requireChangeable(call);
  const data = readMessageData(call.body);
  if (Object.hasOwn(data, "text")) checkText(data);
  const tags = optionalTags(call.body);
  const at = nowSeconds(call);
  const changed: Message = {
    ...message,
    data: mergeData(call, message.data, data),
    editedAt: at,
    editedBy: actorUid(call),
    updatedAt: at,
    ...(tags === undefined ? {} : { tags }),
  };
  return recordChange(call, "edited", changed);
}

/** Answers DELETE /messages/{id}: keeps the row with `deletedAt`, or removes it when `permanent`. */
export function deleteMessage(call: AppCall): Reply {
  const message = requireChangeable(call);
  const at = nowSeconds(call);
  const { text: _text, attachments: _attachments, customData: _customData, ...kept } = message.data;
  const { pinnedBy: _pinnedBy, pinnedAt: _pinnedAt, ...unpinned } = message;
  const changed: Message = {
    ...unpinned,
    data: kept,
    deletedAt: at,
    deletedBy: actorUid(call),
    updatedAt: at,
  };
  if (optionalFlag(call.body, "permanent") !== true) return recordChange(call, "deleted", changed);
  const answer = recordChange(call, "deleted", changed);
  deleteMessageRow(call.db, call.app.appId, message.id);
  return answer;
}

function recordChange(call: AppCall, action: "edited" | "deleted", changed: Message): Reply {
  const actionMessage = call.db.transaction(() => {
    putMessage(call.db, call.app.appId, changed);
    if (action === "deleted") recordDeleted(call.db, call.app.appId, changed);
    return storeActionMessage(call, call.app, {
      by: call.actor ?? systemUser,
      recipient: recipientOf(call, changed),
      conversationId: changed.conversationId,
      type: "message",
      action,
      on: messageEntity(changed),
    });
  });
  emitMessageChanged(call, call.app, { action, changed, actionMessage });
  return reply(actionMessage);
}

function requireChangeable(call: AppCall): Message {
  const message = requireMessage(call);
  if (message.deletedAt !== undefined) throw messageNotFound();
  if (message.category === "action" || message.category === "call") {
    throw new PlatformError(
      "ERR_MESSAGE_ACTION_NOT_ALLOWED",
      `A message of category ${message.category} cannot be changed.`,
    );
  }
  if (call.actor !== undefined && call.actor.uid !== message.sender) {
    throw new PlatformError(
      "ERR_MESSAGE_NOT_A_SENDER",
      `The user ${call.actor.uid} is not the sender of the message ${message.id}.`,
    );
  }
  return message;
}

function mergeData(call: AppCall, stored: JsonObject, sent: JsonObject): JsonObject {
  const { entities, mentions: _mentions, ...rest } = stored;
  const merged: JsonObject = { ...rest, ...sent };
  const mentions = mentionedUsers(call, call.app, merged.text);
  return {
    ...merged,
    ...(mentions === undefined ? {} : { mentions }),
    ...(isJsonObject(entities) ? { entities } : {}),
  };
}

// The receiver may be gone by now; the action message then shows the little that is known of it.
function recipientOf(call: AppCall, message: Message): Recipient {
  if (message.receiverType === "group") {
    const group = findGroup(call.db, call.app.appId, message.receiver);
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
  const user = findUser(call.db, call.app.appId, message.receiver);
  return { type: "user", user: user ?? { ...systemUser, uid: message.receiver, name: message.receiver } };
}

function actorUid(call: AppCall): string {
  return call.actor?.uid ?? systemUser.uid;
}
