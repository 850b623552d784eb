import * as z from "zod/mini";
import { type PartialMessage, partialMessageSchema } from "./message.ts";
import { readText } from "./read-path.ts";
import { decoration, id, open, seconds, text } from "./scalars.ts";
import { userSchema } from "./users-and-groups.ts";

/** An edited or deleted message, whichever form it came in. */
export interface ChangedMessage {
  /** The message itself, with the id it always had. */
  readonly message: PartialMessage;
  /** Where it stood in the delivery. */
  readonly field: string;
  /** Who did it, where the message itself does not say. */
  readonly by: string | undefined;
  /** When, where the message itself does not say; by field. */
  readonly at: Record<string, Date | undefined>;
}

/**
 * Chooses the schema for the form at hand: documented is an action message that holds the changed one,
 * seen live is the changed message itself.
 * @see docs/platform/events.md#edited-and-deleted-messages
 */
export function changedMessageSchema(data: unknown): z.ZodMiniType<ChangedMessage> {
  return readText(data, "message.category") === "action" ? actionForm : flatForm;
}

const flatForm = z.pipe(
  open({ message: partialMessageSchema }),
  z.transform(
    ({ message }): ChangedMessage => ({
      message,
      field: "data.message",
      by: undefined,
      at: { "data.message.updatedAt": message.updatedAt },
    }),
  ),
);

const actionForm = z.pipe(
  open({
    message: open({
      conversationId: z.optional(id),
      sender: z.optional(id),
      receiverType: z.optional(text),
      receiver: z.optional(id),
      sentAt: z.optional(seconds),
      updatedAt: z.optional(seconds),
      data: open({
        entities: open({
          by: decoration(open({ entity: decoration(userSchema) })),
          on: open({ entity: partialMessageSchema }),
        }),
      }),
    }),
  }),
  z.transform(({ message: action }): ChangedMessage => {
    const { by, on } = action.data.entities;
    const { conversationId, receiverType, receiver, sender, sentAt, updatedAt } = action;
    return {
      // A deleted message may hold no more than its id; the action happened in the same conversation.
      message: { conversationId, receiverType, receiver, ...on.entity },
      field: "data.message.data.entities.on.entity",
      by: by?.entity?.uid ?? sender,
      at: { "data.message.updatedAt": updatedAt, "data.message.sentAt": sentAt },
    };
  }),
);
