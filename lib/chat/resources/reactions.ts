import * as z from "zod/mini";
import { anyId, maybe, maybeNumber, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { messageAnswer } from "./message-answer.ts";
import { userAnswer } from "./user-answer.ts";

/** A user's reaction to a message; `reactedAt` in unix seconds. */
const reactionAnswer = () =>
  z.looseObject({
    id: anyId(),
    messageId: maybe(anyId()),
    reaction: maybeText(),
    uid: maybeText(),
    reactedAt: maybeNumber(),
    reactedBy: maybe(userAnswer()),
  });

/**
 * Reactions to messages; `reaction` is the emoji or text itself, which the client encodes.
 * @see docs/internals/platform/messages.md#reactions
 * @example
 * await chat.reactions.add(messageId, "👍", { onBehalfOf: "bob" });
 * for await (const { uid, reaction } of chat.reactions.list(messageId)) console.log(`${uid}: ${reaction}`);
 */
export const reactions = {
  /** Lists all reactions to a message. Errors: ERR_MESSAGE_ID_NOT_FOUND. */
  list: {
    id: "list-all-reactions",
    request: "GET /messages/{id}/reactions",
    onBehalfOf: "optional",
    paged: "cursor",
    answer: reactionAnswer,
  },
  /** Lists the users who reacted with one emoji. Errors: ERR_MESSAGE_ID_NOT_FOUND. */
  listOf: {
    id: "get-message-reactions",
    request: "GET /messages/{id}/reactions/{reaction}",
    onBehalfOf: "optional",
    paged: "cursor",
    answer: reactionAnswer,
  },
  /** Reacts to a message; answers the message. Errors: ERR_MESSAGE_ID_NOT_FOUND. Harmless if repeated. */
  add: {
    id: "add-message-reactions",
    request: "POST /messages/{id}/reactions/{reaction}",
    onBehalfOf: "required",
    answer: messageAnswer,
  },
  /** Removes a reaction; answers the message. Errors: ERR_MESSAGE_ID_NOT_FOUND. */
  remove: {
    id: "remove-message-reactions",
    request: "DELETE /messages/{id}/reactions/{reaction}",
    onBehalfOf: "required",
    answer: messageAnswer,
  },
} as const satisfies Family;
