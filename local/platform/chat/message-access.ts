import { messageNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import type { AppCall } from "../http/route.ts";
import { findMember } from "../store/groups.ts";
import { findMessage, type Message } from "../store/messages.ts";

/**
 * Finds the message that the path's `id` names, and checks that the acting user may see it.
 * @throws PlatformError ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NO_ACCESS
 */
export function requireMessage(call: AppCall, parameter = "id"): Message {
  const message = findMessage(call.db, call.app.appId, call.param(parameter));
  if (message === undefined) throw messageNotFound();
  if (call.actor !== undefined && !canSee(call, call.actor.uid, message)) {
    throw new PlatformError(
      "ERR_MESSAGE_NO_ACCESS",
      `The user ${call.actor.uid} is neither sender, receiver nor group member of the message ${message.id}.`,
    );
  }
  return message;
}

/** Tells whether a user takes part in the conversation of a message. */
export function canSee(call: AppCall, uid: string, message: Message): boolean {
  if (message.receiverType === "group") {
    return findMember(call.db, call.app.appId, message.receiver, uid) !== undefined;
  }
  return (
    message.sender === uid || message.receiver === uid || message.conversationId.split("_user_").includes(uid)
  );
}
