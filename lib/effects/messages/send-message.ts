import * as z from "zod/mini";
import { messages, threads } from "../../chat/resources/messages.ts";
import type { SendMessageInput } from "../../chat/types/messages.ts";
import type { AutomaticMarks } from "../../events/marks/automatic.ts";
import type { Effect } from "../effect.ts";
import { checkEffect, textOrNone, textsOrNone } from "../effect-builders.ts";
import { type SendOptions, type SpokenMessage, sendingEffect } from "./sending.ts";

/** Any category and type, files by URL, at most 22 custom tags. */
export type MessageContent = Pick<SendMessageInput, "category" | "type" | "data" | "tags">;

export interface OutgoingMessage extends SpokenMessage, MessageContent {
  readonly quotedMessageId?: string;
}

/**
 * Sends a message of any kind, marked as automatic, and returns its id. Once: after an attempt that got no
 * answer or died, searches for the mark for a minute before it sends again. A mark is bound to its receiver:
 * one effect per receiver. Limits: see `messages.send`. Errors: ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND,
 * ERR_BLOCKED_RECEIVER, ERR_PERMISSION_DENIED.
 * @see docs/internals/platform/messages.md#sending
 */
export function sendMessage(message: OutgoingMessage, options: SendOptions = {}): Effect<{ id: string }> {
  checkEffect("sendMessage", message, { ...contentShape(), quotedMessageId: textOrNone() });
  const { quotedMessageId } = message;
  const quoting = quotedMessageId === undefined ? {} : { quotedMessageId };
  return sendingEffect("sendMessage", messages.send.id, message, options, (call, marks, more) =>
    call(messages.send, { ...markedContent(message, marks), ...quoting }, more),
  );
}

const contentShape = () => ({
  receiver: z.string(),
  receiverType: z.enum(["user", "group"]),
  onBehalfOf: z.string(),
  category: textOrNone(),
  type: textOrNone(),
  tags: textsOrNone(),
  data: z.optional(z.looseObject({ metadata: z.optional(z.looseObject({})) })),
});

function markedContent(
  { receiver, receiverType, category, type, data, tags = [] }: SpokenMessage & MessageContent,
  marks: AutomaticMarks,
) {
  return {
    receiver,
    receiverType,
    category,
    type,
    data: { ...data, metadata: { ...data?.metadata, ...marks.metadata } },
    tags: [...tags, ...marks.tags],
  };
}

/** A reply in a message's thread, with the receiver of its conversation. */
export interface ThreadReply extends SpokenMessage, MessageContent {
  /** The message to answer; not itself a reply. */
  readonly parentId: string;
}

/**
 * Replies in a message's thread, marked as automatic, and returns the reply's id. Once, as `sendMessage`.
 * Errors: ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_THREAD_NESTING, ERR_WRONG_MESSAGE_THREAD.
 * @see docs/internals/platform/messages.md#threads
 */
export function replyInThread(reply: ThreadReply, options: SendOptions = {}): Effect<{ id: string }> {
  checkEffect("replyInThread", reply, { ...contentShape(), parentId: z.string() });
  return sendingEffect("replyInThread", threads.reply.id, reply, options, (call, marks, more) =>
    call(threads.reply, reply.parentId, markedContent(reply, marks), more),
  );
}
