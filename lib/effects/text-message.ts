import * as z from "zod/mini";
import type { JsonValue } from "../base/json-value.ts";
import { lazy } from "../base/lazy.ts";
import { checkInput } from "../chat/check-input.ts";
import { groupConversation, userConversation } from "../events/conversation.ts";

/** Who says something to whom. */
export interface SpokenMessage {
  /** uid or guid, as `receiverType` says. */
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  /** uid of the user who says it. */
  readonly onBehalfOf: string;
}

/** A text that a user of the app says. */
export interface TextMessage extends SpokenMessage {
  readonly text: string;
  /** Kept with the message for whoever reads it by program. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
}

/** Checks what is to be said, before its mark is made of it. @throws InvalidInputError */
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

/** Gives the id of the conversation that a message appears in. The platform lowers ids, and sorts them afterwards. */
export function conversationOfText({ onBehalfOf, receiver, receiverType }: SpokenMessage): string {
  const [from, to] = [onBehalfOf.toLowerCase(), receiver.toLowerCase()];
  return (receiverType === "group" ? groupConversation(to) : userConversation(from, to))?.id ?? to;
}
