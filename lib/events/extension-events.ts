import * as z from "zod/mini";
import { conversationOf } from "./conversation.ts";
import { defineEvents } from "./define-event.ts";
import { messageSchema } from "./message.ts";
import { filledText, open } from "./scalars.ts";

/** All messages are required, because the e-mail is about each of them. */
const messages = z.pipe(
  z.transform((list: unknown) => (Array.isArray(list) ? list.filter((item) => item !== null) : list)),
  z.array(messageSchema),
);

/**
 * Reads the e-mail notification extension's delivery: unread messages between two users, and the recipient's
 * address. It has no trigger and no app id; the trigger's name is ours.
 * @see docs/internals/platform/other-calls.md#legacy-extensions
 */
export const extensionEvents = defineEvents(
  "extension",
  ["email-extension"],
  open({ to: filledText, body: messages }),
  ({ to, body }) => {
    const last = body.at(-1);
    // The delivery comes some time after its last message; its own time is unknown.
    const head = { actor: last?.sender, conversation: last && conversationOf(last) };
    return { head, facts: { to, messages: body } };
  },
);
