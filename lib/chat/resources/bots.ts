import * as z from "zod/mini";
import { acknowledgement, maybeFlag, maybeNumber, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { looseObject, opt, optional, pageFields, strictObject, word, words, yesNo } from "../schema.ts";
import { messageAnswer } from "./message-answer.ts";
import { messageInput } from "./message-input.ts";

/** A bot: a user whose messages go to a webhook of its own. Absent flags are off. Times are unix seconds. */
const botAnswer = () =>
  looseObject({
    uid: word,
    webhookURL: maybeText,
    groupChatSetting: maybeText,
    enabled: maybeFlag,
    useBasicAuth: maybeFlag,
    username: maybeText,
    /** In clear: keep it out of logs. */
    password: maybeText,
    createdAt: maybeNumber,
    updatedAt: maybeNumber,
  });

const settings = () =>
  optional({
    groupChatSetting: z.enum(["allMessages", "slashedMessages", "mentionedMessages", "none"]),
    enabled: yesNo,
    useBasicAuth: yesNo,
    username: words(50),
    password: words(50),
  });

/**
 * Bots, at most 25. See docs/internals/platform/messages.md#bots.
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
   * Makes an existing user a bot. `enabled` default false, `groupChatSetting` default none; credentials are
   * kept only with `useBasicAuth`. Errors: ERR_UID_NOT_FOUND, ERR_BOT_ALREADY_EXISTS.
   */
  create: {
    id: "create-bot",
    request: "POST /bots",
    input: () => strictObject({ uid: words(50), webhookURL: words(255), ...settings() }),
    answer: botAnswer,
  },
  /** Lists bots by uid. `searchKey` is the start of a uid; `perPage` default 100. */
  list: {
    id: "list-bots",
    request: "GET /bots",
    input: () => strictObject({ ...pageFields(), searchKey: opt(word), isAIBot: opt(yesNo) }),
    paged: "page",
    answer: botAnswer,
  },
  /** Reads a bot. Errors: ERR_BOT_NOT_FOUND, also for a user that is no bot. */
  get: { id: "get-bot", request: "GET /bots/{uid}", answer: botAnswer },
  /**
   * Changes a bot. Without `useBasicAuth` its credentials are kept, and not sent. Errors: ERR_BOT_NOT_FOUND.
   */
  update: {
    id: "update-bot",
    request: "PUT /bots/{uid}",
    input: () => strictObject({ webhookURL: opt(words(255)), ...settings() }),
    answer: botAnswer,
  },
  /**
   * Makes a bot an ordinary user again, whose messages stay. Errors: ERR_BOT_NOT_FOUND (after an unclear try:
   * done).
   */
  delete: { id: "delete-bot", request: "DELETE /bots/{uid}", answer: acknowledgement },
  /**
   * Sends a message as a bot. Limits, and what is repeated after unclear failures, as for `messages.send`.
   * Errors: ERR_BOT_NOT_FOUND.
   */
  send: {
    id: "send-bot-message",
    request: "POST /bots/{uid}/messages",
    input: messageInput,
    answer: messageAnswer,
    once: true,
  },
} as const satisfies Family;
