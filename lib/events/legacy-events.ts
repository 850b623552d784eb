import * as z from "zod/mini";
import { readText } from "../base/json.ts";
import { conversationOf } from "./conversation.ts";
import { defineEvents, firstMoment } from "./define-event.ts";
import { messageSchema, unsentMessageSchema } from "./message.ts";
import { filledText, open } from "./scalars.ts";
import type { Origin } from "./types/legacy-events.ts";
import type { UnsentMessage } from "./types/message.ts";

/** Fields are in `data` directly. @see docs/internals/platform/legacy-engine.md#legacy-envelope */
export const legacyMessageEvents = {
  ...defineEvents("legacy", ["before_message"], unsentMessageSchema, toEvent),
  ...defineEvents("legacy", ["after_message"], messageSchema, toEvent),
};

/** Delivered to a bot's own URL. @see docs/internals/platform/other-calls.md#bots */
export const botEvents = defineEvents("bot", ["after_message"], messageSchema, (message, _, body) => {
  const { head, facts } = toEvent(message, _, body);
  return { head, facts: { ...facts, botUid: readText(body, "bot") ?? "" } };
});

function toEvent<Message extends UnsentMessage>(message: Message, _trigger: string, body: unknown) {
  const origin: Origin = {
    platform: readText(body, "origin.platform"),
    language: readText(body, "origin.language"),
    resource: readText(body, "origin.resource"),
  };
  const head = {
    ...firstMoment({ "data.sentAt": message.sentAt }),
    actor: message.sender,
    conversation: conversationOf(message),
  };
  return { head, facts: { message, origin } };
}

/** The e-mail is about all of them. */
const messages = z.pipe(
  z.transform((list: unknown) => (Array.isArray(list) ? list.filter((item) => item !== null) : list)),
  z.array(messageSchema),
);

/**
 * Unread messages between two users, and the recipient's address. Has no trigger and no app id; the name is
 * ours.
 * @see docs/internals/platform/other-calls.md#legacy-extensions
 */
export const extensionEvents = defineEvents(
  "extension",
  ["email-extension"],
  open({ to: filledText, body: messages }),
  ({ to, body }) => {
    const last = body.at(-1);
    // Its own time is unknown.
    const head = { actor: last?.sender, conversation: last && conversationOf(last) };
    return { head, facts: { to, messages: body } };
  },
);
