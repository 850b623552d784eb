import * as z from "zod/mini";
import { conversationOf } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { messageSchema } from "./message.ts";
import { open, text } from "./scalars.ts";

/**
 * Reads the e-mail notification extension's delivery: unread messages between two people, and the address to write to.
 * It has no trigger and no app id; the name of the trigger is ours.
 * @see docs/platform/other-calls.md#legacy-extensions
 */
export const extensionEvents = {
  "email-extension": defineEvent({
    family: "extension",
    trigger: "email-extension",
    schema: open({ to: text, body: z.array(messageSchema) }),
    normalise: ({ to, body: messages }) => {
      const last = messages.at(-1);
      return {
        head: {
          ...firstMoment({ [`body.${messages.length - 1}.sentAt`]: last?.sentAt }),
          actor: last?.sender,
          conversation: last && conversationOf(last),
        },
        facts: { to, messages },
      };
    },
  }),
};
