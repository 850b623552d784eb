import * as z from "zod/mini";
import { anyId, looseAcknowledgement, maybe, maybeNumber, maybeObjects, maybeText } from "../answers.ts";
import { int, opt, word } from "../fields.ts";
import type { Family } from "../operation.ts";
import { blockedMessageAnswer } from "./blocked-message-answer.ts";

const limitQuery = () => z.strictObject({ limit: opt(int(1, 1_000)) });

/**
 * Messages that users flagged, and their reviews.
 * @see docs/internals/platform/moderation.md#flagged-and-reviewed-messages
 * @example
 * await chat.flaggedMessages.flag(
 *   messageId,
 *   { reasonId: "spam", remark: "Twice today" },
 *   { onBehalfOf: "bob" },
 * );
 * for await (const { id } of chat.flaggedMessages.list()) {
 *   if (id) await chat.flaggedMessages.review(id, { status: "approved" });
 * }
 */
export const flaggedMessages = {
  /**
   * Flags a message as the acting user. Sends both of the catalogue's names of the reason. Errors:
   * ERR_MESSAGE_ID_NOT_FOUND, ERR_REASON_NOT_FOUND. Harmless if repeated (inferred).
   */
  flag: {
    id: "flag-a-message",
    request: "POST /messages/{id}/flagged",
    onBehalfOf: "required",
    input: () =>
      z.pipe(
        z.strictObject({ reasonId: z.string().check(z.minLength(1)), remark: opt(word()) }),
        z.transform((input) => ({ ...input, id: input.reasonId })),
      ),
    answer: looseAcknowledgement,
    documented: "several",
  },
  /** Lists flagged messages with `flaggedBy` and `flaggedCount`; `limit` default 50. One page. */
  list: {
    id: "list-flagged-messages",
    request: "GET /moderation/flagged-messages",
    input: limitQuery,
    paged: "once",
    answer: () =>
      z.looseObject({
        id: maybe(anyId()),
        sender: maybeText(),
        flaggedCount: maybeNumber(),
        flaggedBy: maybeObjects(),
      }),
  },
  /** Reviews a flagged message: `approved` keeps it, `disapproved` blocks it. Harmless if repeated. */
  review: {
    id: "blockreview-flagged-message",
    request: "PATCH /moderation/flagged-messages/{id}",
    input: () => z.strictObject({ status: z.enum(["approved", "disapproved"]) }),
    answer: looseAcknowledgement,
    documented: "several",
  },
  /** Lists reviewed messages; `limit` default 50. One page. */
  listReviewed: {
    id: "list-reviewed-messages",
    request: "GET /moderation/reviewed-messages",
    input: limitQuery,
    paged: "once",
    answer: blockedMessageAnswer,
  },
} as const satisfies Family;
