import * as z from "zod/mini";
import type { JsonValue } from "../../base/json-value.ts";
import { messages } from "../../chat/resources/messages.ts";
import { checkEffect, textOrNone } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { orReadBack } from "../read-back.ts";
import { requestLimits } from "../request-limits.ts";

export interface MessageEdit {
  readonly messageId: string;
  readonly text: string;
  /** Replaces all existing metadata. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
  /** uid of the message's sender. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Changes the text of a message. Repeatable: without `metadata`, it reads the message before each attempt and
 * does nothing if the text is equal, so that a trigger on `message_edited` that edits does not loop. Edits of
 * others between two attempts are overwritten, and `message_edited` may come twice. Errors:
 * ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NOT_A_SENDER, ERR_MESSAGE_ACTION_NOT_ALLOWED.
 * @see docs/internals/platform/messages.md#editing-and-deleting
 */
export function editMessage(edit: MessageEdit): Effect<{ messageId: string }> {
  checkEffect("editMessage", edit, {
    messageId: z.string(),
    text: z.string(),
    metadata: z.optional(z.record(z.string(), z.json())),
    onBehalfOf: textOrNone(),
  });
  const { messageId, text, metadata, onBehalfOf } = edit;
  return {
    kind: messages.update.id,
    inShadow: { messageId },
    stepsWith: ({ call, scope }) => ({
      act: async () => {
        const limits = requestLimits(scope);
        const hasText = async () => (await call(messages.get, messageId, limits)).data?.text === text;
        if (metadata === undefined && (await hasText())) return { messageId };
        const data = { text, ...(metadata !== undefined && { metadata: { ...metadata } }) };
        const edited = () => call(messages.update, messageId, { data }, { onBehalfOf, ...limits });
        await orReadBack<unknown>(edited, hasText, undefined);
        return { messageId };
      },
    }),
  };
}
