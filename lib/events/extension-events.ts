import * as z from "zod/mini";
import { conversationOf } from "./conversation.ts";
import { defineEvents } from "./define-event.ts";
import { messageSchema } from "./message.ts";
import { filledText, open } from "./scalars.ts";

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
