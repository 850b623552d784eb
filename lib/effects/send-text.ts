import { messages } from "../chat/resources/messages.ts";
import type { Effect, EffectTools } from "./effect.ts";
import {
  checkSendOptions,
  type MarkedSteps,
  markedSteps,
  type SendOptions,
  stepsOfSending,
} from "./marked-message.ts";
import { checkTextMessage, type TextMessage } from "./text-message.ts";

/**
 * Sends a text message, marked as automatic, and returns its id. After an attempt that got no answer or died,
 * it searches for the mark for a minute before it sends again. Errors: those of the client.
 * @throws InvalidInputError if the message is invalid or an option is unknown
 */
export function sendText(message: TextMessage, options: SendOptions = {}): Effect<{ id: string }> {
  checkTextMessage("sendText", message);
  checkSendOptions("sendText", options);
  return {
    kind: messages.send.id,
    inShadow: { id: "0" },
    stepsWith: (tools, ofEffect) =>
      stepsOfSending(tools, message, textSteps(tools, ofEffect, message), options),
  };
}

/** Returns the steps of sending one text. Each throws what the client or the guard throws. */
export function textSteps(
  tools: EffectTools,
  ofEffect: string,
  { onBehalfOf: sender, text, metadata, receiverType, receiver }: TextMessage,
): MarkedSteps {
  return markedSteps(tools, ofEffect, { sender, receiverType, receiver }, (marks, limits) => {
    const data = { text, metadata: { ...metadata, ...marks.metadata } };
    const message = { receiverType, receiver, category: "message", type: "text", data } as const;
    return tools.call(messages.send, { ...message, tags: marks.tags }, { onBehalfOf: sender, ...limits });
  });
}
