import * as z from "zod/mini";
import { blockedMessages, flaggedMessages } from "../chat/resources/moderated-messages.ts";
import type { Effect } from "./effect.ts";
import {
  checkEffect,
  hasCode,
  inAnyForm,
  type Settled,
  settlingEffect,
  textOrNone,
} from "./effect-builders.ts";

export interface Flag {
  readonly messageId: string;
  /** One of the app's moderation reasons, such as `spam`. */
  readonly reasonId: string;
  readonly remark?: string;
  /** uid of the user who flags. */
  readonly onBehalfOf: string;
}

/**
 * Flags a message for the app's moderators. Repeatable: a second flag replaces the first (inferred). Errors:
 * ERR_MESSAGE_ID_NOT_FOUND, ERR_REASON_NOT_FOUND.
 * @see docs/internals/platform/moderation.md#flagging
 */
export function flagMessage(flag: Flag): Effect<Settled> {
  checkEffect("flagMessage", flag, {
    messageId: z.string(),
    reasonId: z.string(),
    remark: textOrNone(),
    onBehalfOf: z.string(),
  });
  const { messageId, reasonId, remark, onBehalfOf } = flag;
  return settlingEffect(flaggedMessages.flag.id, (call, limits) =>
    call(inAnyForm(flaggedMessages.flag), messageId, { reasonId, remark }, { onBehalfOf, ...limits }),
  );
}

export interface FlagReview {
  readonly messageId: string;
  /** `approved` keeps the message, `disapproved` blocks it. */
  readonly status: "approved" | "disapproved";
}

/**
 * Decides about a flagged message. Once: a reviewed message is no longer flagged, so after an unclear attempt
 * ERR_MESSAGE_ID_NOT_FOUND counts as done; otherwise it is a refusal.
 * @see docs/internals/platform/moderation.md#flagged-and-reviewed-messages
 */
export function reviewFlaggedMessage(review: FlagReview): Effect<Settled> {
  checkEffect("reviewFlaggedMessage", review, {
    messageId: z.string(),
    status: z.enum(["approved", "disapproved"]),
  });
  const { messageId, status } = review;
  return settlingEffect(
    flaggedMessages.review.id,
    (call, limits) => call(inAnyForm(flaggedMessages.review), messageId, { status }, limits),
    { isSo: async (_call, _limits, error) => hasCode(error, ["ERR_MESSAGE_ID_NOT_FOUND"]) },
  );
}

export interface BlockReview {
  readonly messageId: string;
  /** `approved` lets the message through, `rejected` keeps it blocked. */
  readonly status: "approved" | "rejected";
}

/**
 * Decides about a message that a rule blocked. Once: a reviewed message leaves the list, so after an unclear
 * attempt ERR_MESSAGE_ID_NOT_FOUND counts as done; otherwise it is a refusal.
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
    { isSo: async (_call, _limits, error) => hasCode(error, ["ERR_MESSAGE_ID_NOT_FOUND"]) },
  );
}
