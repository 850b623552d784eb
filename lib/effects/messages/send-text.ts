import * as z from "zod/mini";
import type { JsonValue } from "../../base/json-value.ts";
import { lazy } from "../../base/lazy.ts";
import { checkInput } from "../../chat/check-input.ts";
import { messages } from "../../chat/resources/messages.ts";
import type { Effect } from "../effect.ts";
import { type Send, type SendOptions, type SpokenMessage, sendingEffect } from "./sending.ts";

/** A text that a user of the app sends. */
export interface TextMessage extends SpokenMessage {
  readonly text: string;
  /** Stored with the message for programs. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
}

export function checkTextMessage(effect: string, message: TextMessage): void {
  checkInput(effect, textSchema(), message, "message");
}

const textSchema = lazy(() =>
  z.strictObject({
    receiver: z.string(),
    receiverType: z.enum(["user", "group"]),
    onBehalfOf: z.string(),
    text: z.string(),
    metadata: z.optional(z.looseObject({})),
  }),
);

/**
 * Sends a text message, marked as automatic, and returns its id. Once, as `sendMessage`. Errors: those of the
 * client.
 * @throws InvalidInputError if the message is invalid or an option is unknown
 */
export function sendText(message: TextMessage, options: SendOptions = {}): Effect<{ id: string }> {
  checkTextMessage("sendText", message);
  return sendingEffect("sendText", messages.send.id, message, options, textSender(message));
}

export function textSender({ text, metadata, receiverType, receiver }: TextMessage): Send {
  return (call, marks, options) => {
    const data = { text, metadata: { ...metadata, ...marks.metadata } };
    const message = { receiverType, receiver, category: "message", type: "text", data } as const;
    return call(messages.send, { ...message, tags: marks.tags }, options);
  };
}
