import * as z from "zod/mini";
import { acknowledgement } from "../answers.ts";
import type { Family } from "../operation.ts";
import { blockedMessageAnswer } from "./blocked-message-answer.ts";

/**
 * Messages that rules blocked. See docs/internals/platform/moderation.md#blocked-messages.
 * @example
 * for await (const { message, ruleName } of chat.blockedMessages.list()) {
 *   console.log(`${ruleName} has blocked a message of ${message?.sender}.`);
 *   if (message) await chat.blockedMessages.review(message.id, { status: "rejected", reviewed: true });
 * }
 */
export const blockedMessages = {
  /** Lists blocked messages, at most 50 (from the example). One page. */
  list: {
    id: "list-moderation-blocked-messages",
    request: "GET /moderation/blocked-messages",
    paged: "once",
    answer: blockedMessageAnswer,
  },
  /** Reviews a blocked message: `approved` lets it through. Harmless if repeated. */
  review: {
    id: "review-blocked-message",
    request: "PATCH /moderation/blocked-messages/{id}",
    input: () => z.strictObject({ status: z.enum(["approved", "rejected"]), reviewed: z.boolean() }),
    answer: acknowledgement,
  },
  /** Approves a blocked message without marking it reviewed; same URL as `review`. Harmless if repeated. */
  approve: {
    id: "approve-moderation-blocked-messages",
    request: "PATCH /moderation/blocked-messages/{messageId}",
    input: () => z.strictObject({ status: z.literal("approved") }),
    answer: acknowledgement,
  },
} as const satisfies Family;
