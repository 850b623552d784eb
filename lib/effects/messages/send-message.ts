import * as z from "zod/mini";
import { messages } from "../../chat/resources/messages.ts";
import type { SendMessageInput } from "../../chat/types/messages.ts";
import type { AutomaticMarks } from "../../events/marks/automatic.ts";
import { checkEffect, textOrNone, textsOrNone } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { checkSendOptions, markedSteps, type SendOptions, stepsOfSending } from "../marked-message.ts";
import type { SpokenMessage } from "../text-message.ts";

/** A message's content: any category and type, files by URL, at most 22 custom tags. */
export type MessageContent = Pick<SendMessageInput, "category" | "type" | "data" | "tags">;

export interface OutgoingMessage extends SpokenMessage, MessageContent {
  readonly quotedMessageId?: string;
}

/**
 * Sends a message of any kind, marked as automatic, and returns its id. Once: after an attempt that got no
 * answer or died, it searches for the mark for a minute before it sends again. A mark is bound to its
 * receiver, so use one effect per receiver. Limits: see `messages.send`. Errors: ERR_UID_NOT_FOUND,
 * ERR_GUID_NOT_FOUND, ERR_BLOCKED_RECEIVER, ERR_PERMISSION_DENIED.
 * @see docs/internals/platform/messages.md#sending
 */
export function sendMessage(message: OutgoingMessage, options: SendOptions = {}): Effect<{ id: string }> {
  checkEffect("sendMessage", message, { ...contentShape(), quotedMessageId: textOrNone() });
  checkSendOptions("sendMessage", options);
  return {
    kind: messages.send.id,
    inShadow: { id: "0" },
    stepsWith: (tools, ofEffect) => {
      const { onBehalfOf, receiver, receiverType, quotedMessageId } = message;
      const spoken = { sender: onBehalfOf, receiver, receiverType };
      const steps = markedSteps(tools, ofEffect, spoken, (marks, limits) => {
        const quoting = quotedMessageId === undefined ? {} : { quotedMessageId };
        const input = { receiver, receiverType, ...withMarks(message, marks), ...quoting };
        return tools.call(messages.send, input, { onBehalfOf, ...limits });
      });
      return stepsOfSending(tools, message, steps, options);
    },
  };
}

/** Returns schemas for sender, receiver and content; the client checks the content itself. */
export const contentShape = () => ({
  receiver: z.string(),
  receiverType: z.enum(["user", "group"]),
  onBehalfOf: z.string(),
  ...{ category: textOrNone(), type: textOrNone(), tags: textsOrNone() },
  data: z.optional(z.looseObject({ metadata: z.optional(z.looseObject({})) })),
});

export function withMarks(
  { category, type, data, tags = [] }: MessageContent,
  marks: AutomaticMarks,
): MessageContent {
  return {
    ...(category !== undefined && { category }),
    ...(type !== undefined && { type }),
    data: { ...data, metadata: { ...data?.metadata, ...marks.metadata } },
    tags: [...tags, ...marks.tags],
  };
}
