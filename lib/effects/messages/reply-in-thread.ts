import * as z from "zod/mini";
import { threads } from "../../chat/resources/threads.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { checkSendOptions, markedSteps, type SendOptions, stepsOfSending } from "../marked-message.ts";
import type { SpokenMessage } from "../text-message.ts";
import { contentShape, type MessageContent, withMarks } from "./send-message.ts";

/** A reply in a message's thread, with the receiver of the message's conversation. */
export interface ThreadReply extends SpokenMessage, MessageContent {
  /** The message to answer; not itself a reply. */
  readonly parentId: string;
}

/**
 * Replies in a message's thread, marked as automatic, and returns the reply's id. Once, as `sendMessage`:
 * after an unclear attempt it searches for the mark for a minute before it sends again. Errors:
 * ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_THREAD_NESTING, ERR_WRONG_MESSAGE_THREAD.
 * @see docs/internals/platform/messages.md#threads
 */
export function replyInThread(reply: ThreadReply, options: SendOptions = {}): Effect<{ id: string }> {
  checkEffect("replyInThread", reply, { ...contentShape(), parentId: z.string() });
  checkSendOptions("replyInThread", options);
  return {
    kind: threads.reply.id,
    inShadow: { id: "0" },
    stepsWith: (tools, ofEffect) => {
      const { parentId, onBehalfOf, receiver, receiverType } = reply;
      const spoken = { sender: onBehalfOf, receiver, receiverType };
      const steps = markedSteps(tools, ofEffect, spoken, (marks, limits) => {
        const input = { receiver, receiverType, ...withMarks(reply, marks) };
        return tools.call(threads.reply, parentId, input, { onBehalfOf, ...limits });
      });
      return stepsOfSending(tools, reply, steps, options);
    },
  };
}
