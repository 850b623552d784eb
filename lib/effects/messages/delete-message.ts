import * as z from "zod/mini";
import { messages } from "../../chat/resources/messages.ts";
import { checkEffect, textOrNone } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { isRefusal, messageIsGone, type Settled, settlingEffect } from "../settling-effect.ts";

export interface Deletion {
  readonly messageId: string;
  /** Also deletes the row with `deletedAt`. Default: false. */
  readonly permanent?: boolean;
  /** uid of the message's sender. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Deletes a message. Repeatable: a missing message counts as deleted. Errors: ERR_MESSAGE_NOT_A_SENDER,
 * ERR_MESSAGE_ACTION_NOT_ALLOWED.
 * @see docs/internals/platform/messages.md#editing-and-deleting
 */
export function deleteMessage(deletion: Deletion): Effect<Settled> {
  checkEffect("deleteMessage", deletion, {
    messageId: z.string(),
    permanent: z.optional(z.boolean()),
    onBehalfOf: textOrNone(),
  });
  const { messageId, permanent, onBehalfOf } = deletion;
  return settlingEffect(
    messages.delete.id,
    (call, limits) => call(messages.delete, messageId, { permanent }, { onBehalfOf, ...limits }),
    {
      meanSo: messageIsGone,
      isSo: async (call, limits) => {
        try {
          return (await call(messages.get, messageId, limits)).deletedAt !== undefined && permanent !== true;
        } catch (error) {
          return isRefusal(error, messageIsGone);
        }
      },
    },
  );
}
