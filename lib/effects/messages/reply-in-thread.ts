import * as z from "zod/mini";
import { threads } from "../../chat/resources/threads.ts";
import { checkEffect } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { checkSendOptions, markedSteps, type SendOptions, stepsOfSending } from "../marked-message.ts";
import type { SpokenMessage } from "../text-message.ts";
import { contentShape, type MessageContent, withMarks } from "./send-message.ts";

/** A reply in the thread of a message; its receiver is that of the conversation that the message stands in. */
export interface ThreadReply extends SpokenMessage, MessageContent {
  /** The message that is answered; a reply itself cannot be. */
  readonly parentId: string;
}

/**
 * Replies in the thread of a message, marked as automatic, and gives the reply's id. Once, as `sendMessage` is: looked for
 * by its mark for a minute after an unclear attempt, and only then sent again. Errors: ERR_MESSAGE_ID_NOT_FOUND,
 * ERR_MESSAGE_THREAD_NESTING, ERR_WRONG_MESSAGE_THREAD.
 * @see docs/platform/messages.md#threads
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
