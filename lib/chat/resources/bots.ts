import type { Family } from "../operation.ts";
import { messageAnswer } from "./message-answer.ts";
import { messageInput } from "./message-input.ts";

/**
 * Bots; they are created outside this API. See docs/internals/platform/messages.md#bots.
 * @example
 * await chat.bots.send("helper", {
 *   receiver: "alice",
 *   receiverType: "user",
 *   type: "text",
 *   data: { text: "How can I help?" },
 * });
 */
export const bots = {
  /**
   * Sends a message as a bot. Limits as for `messages.send`. Errors: ERR_BOT_NOT_FOUND. Not repeated after
   * unclear failures without `alreadyDone`.
   */
  send: {
    id: "send-bot-message",
    request: "POST /bots/{uid}/messages",
    input: messageInput,
    answer: messageAnswer,
  },
} as const satisfies Family;
