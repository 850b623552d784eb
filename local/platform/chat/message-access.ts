import { badRequest, messageNotFound, PlatformError } from "../errors/platform-error.ts";
import type { AppRequest } from "../http/route.ts";
import type { AppData } from "../store/database.ts";
import { findMember } from "../store/groups.ts";
import { findMessage, type Message } from "../store/messages.ts";
import type { User } from "../store/users.ts";

/**
 * Finds the message that the path's `id` names, and checks that the acting user may see it.
 * @throws PlatformError ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NO_ACCESS
 */
export function requireMessage(request: AppRequest, parameter = "id"): Message {
  const message = findMessage(request, request.param(parameter));
  if (message === undefined) throw messageNotFound();
  if (request.actor !== undefined && !canSee(request, request.actor.uid, message)) {
    throw new PlatformError(
      "ERR_MESSAGE_NO_ACCESS",
      `The user ${request.actor.uid} is neither sender, receiver nor group member of the message ${message.id}.`,
    );
  }
  return message;
}

/** Tells whether a user takes part in the conversation of a message. */
export function canSee(request: AppData, uid: string, message: Message): boolean {
  if (message.receiverType === "group") {
    return findMember(request, message.receiver, uid) !== undefined;
  }
  return (
    message.sender === uid || message.receiver === uid || message.conversationId.split("_user_").includes(uid)
  );
}

/**
 * Finds a message like `requireMessage` that can still be reacted to, pinned or answered.
 * @throws PlatformError ERR_MESSAGE_ID_NOT_FOUND when deleted, ERR_MESSAGE_ACTION_NOT_ALLOWED for action messages
 */
export function requireLiveMessage(request: AppRequest, parameter = "id"): Message {
  const message = requireMessage(request, parameter);
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
export function requireActor(request: AppRequest): User {
  if (request.actor === undefined) throw badRequest({ onBehalfOf: "The onBehalfOf header is required." });
  return request.actor;
}
