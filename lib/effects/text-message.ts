import * as z from "zod/mini";
import type { JsonValue } from "../base/json-value.ts";
import { lazy } from "../base/lazy.ts";
import { checkInput } from "../chat/check-input.ts";
import { groupConversation, userConversation } from "../events/conversation.ts";

export interface SpokenMessage {
  /** uid or guid, as `receiverType` says. */
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  /** uid of the sender. */
  readonly onBehalfOf: string;
}

/** A text that a user of the app sends. */
export interface TextMessage extends SpokenMessage {
  readonly text: string;
  /** Stored with the message for programs. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
}

/** Checks a message before its mark is computed. @throws InvalidInputError */
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

/** Returns the id of the message's conversation. The platform converts ids to lower case, then sorts them. */
export function conversationOfText({ onBehalfOf, receiver, receiverType }: SpokenMessage): string {
  const [from, to] = [onBehalfOf.toLowerCase(), receiver.toLowerCase()];
  return (receiverType === "group" ? groupConversation(to) : userConversation(from, to))?.id ?? to;
}
