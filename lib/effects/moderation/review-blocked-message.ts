import * as z from "zod/mini";
import { blockedMessages } from "../../chat/resources/blocked-messages.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { inAnyForm } from "../read-back.ts";
import { type Settled, settlingEffect } from "../settling-effect.ts";

export interface BlockReview {
  readonly messageId: string;
  /** `approved` lets the message through, `rejected` keeps it blocked. */
  readonly status: "approved" | "rejected";
}

/**
 * Decides about a message that a rule blocked. Once: a reviewed message leaves the list of blocked ones, so
 * if an earlier attempt may have reviewed it, ERR_MESSAGE_ID_NOT_FOUND counts as done; otherwise it is a
 * refusal. Other errors: those of the client.
 * @see docs/internals/platform/moderation.md#blocked-messages
 */
export function reviewBlockedMessage(review: BlockReview): Effect<Settled> {
  checkEffect("reviewBlockedMessage", review, {
    messageId: z.string(),
    status: z.enum(["approved", "rejected"]),
  });
  const { messageId, status } = review;
  return settlingEffect(
    blockedMessages.review.id,
    (call, limits) => call(inAnyForm(blockedMessages.review), messageId, { status, reviewed: true }, limits),
    { meanSoOnlyAgain: ["ERR_MESSAGE_ID_NOT_FOUND"] },
  );
}
