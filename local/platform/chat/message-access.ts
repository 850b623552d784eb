import { badRequest, messageNotFound } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import type { AppCall } from "../http/route.ts";
import { findMember } from "../store/groups.ts";
import { findMessage, type Message } from "../store/messages.ts";
import type { User } from "../store/users.ts";

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
export function canSee(call: Pick<AppCall, "db" | "app">, uid: string, message: Message): boolean {
  if (message.receiverType === "group") {
    return findMember(call.db, call.app.appId, message.receiver, uid) !== undefined;
  }
  return (
    message.sender === uid || message.receiver === uid || message.conversationId.split("_user_").includes(uid)
  );
}

/**
 * Finds a message like `requireMessage` that can still be reacted to, pinned or answered.
 * @throws PlatformError ERR_MESSAGE_ID_NOT_FOUND when deleted, ERR_MESSAGE_ACTION_NOT_ALLOWED for action messages
 */
export function requireLiveMessage(call: AppCall, parameter = "id"): Message {
  const message = requireMessage(call, parameter);
  if (message.deletedAt !== undefined) throw messageNotFound();
  if (message.category === "action") {
    throw new PlatformError(
      "ERR_MESSAGE_ACTION_NOT_ALLOWED",
      `A message of category ${message.category} cannot be used so.`,
    );
  }
  return message;
}

/** Gives the acting user of an operation that requires one. */
export function requireActor(call: AppCall): User {
  if (call.actor === undefined) throw badRequest({ onBehalfOf: "The onBehalfOf header is required." });
  return call.actor;
}
