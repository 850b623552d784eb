import { conversationOf } from "./conversation.ts";
import { defineEvents, firstMoment } from "./define-event.ts";

import { messageSchema, unsentMessageSchema } from "./message.ts";
import { readPath, readText } from "./read-path.ts";
import type { Origin } from "./types/legacy-events.ts";
import type { UnsentMessage } from "./types/message.ts";

/** Fields are in `data` directly. @see docs/internals/platform/legacy-engine.md#legacy-envelope */
export const legacyMessageEvents = {
  ...defineEvents("legacy", ["before_message"], unsentMessageSchema, (message, _, body) => ({
    head: headOf(message),
    facts: { message, origin: originOf(body) },
  })),

  ...defineEvents("legacy", ["after_message"], messageSchema, (message, _, body) => ({
    head: headOf(message),
    facts: { message, origin: originOf(body) },
  })),
};

/** Delivered to a bot's own URL. @see docs/internals/platform/other-calls.md#bots */
export const botEvents = defineEvents("bot", ["after_message"], messageSchema, (message, _, body) => ({
  head: headOf(message),
  facts: { message, botUid: readText(body, "bot") ?? "", origin: originOf(body) },
}));

function headOf(message: UnsentMessage) {
  return {
    ...firstMoment({ "data.sentAt": message.sentAt }),
    actor: message.sender,
    conversation: conversationOf(message),
  };
}

function originOf(body: unknown): Origin {
  const origin = readPath(body, "origin");
  return {
    platform: readText(origin, "platform"),
    language: readText(origin, "language"),
    resource: readText(origin, "resource"),
  };
}
