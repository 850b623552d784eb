import { conversationOf } from "./conversation.ts";
import { isDeed } from "./deed.ts";
import { defineEventOfTwoForms, type HeadFacts } from "./define-event.ts";
import { partialMessageSchema } from "./message.ts";
import { id, open, optional, text, time } from "./scalars.ts";
import type { PartialMessage } from "./types/message.ts";
import { userSchema } from "./users-and-groups.ts";

/** An edited or deleted message, whichever form it came in. */
interface ChangedMessage {
  /** The message itself, with the id it always had. */
  readonly message: PartialMessage;
  /** Where it stood in the delivery. */
  readonly field: string;
  /** Who did it, where the message itself does not say. */
  readonly by: string | undefined;
  /** When, where the message itself does not say; by field. */
  readonly at: Record<string, Date | undefined>;
}

const flatForm = open({ message: partialMessageSchema });

const deedForm = open({
  message: open({
    conversationId: optional(id),
    sender: optional(id),
    receiverType: optional(text),
    receiver: optional(id),
    sentAt: optional(time),
    data: open({
      entities: open({
        by: optional(open({ entity: optional(userSchema) })),
        on: open({ entity: partialMessageSchema }),
      }),
    }),
  }),
});

/**
 * Makes the reader of a changed message in either form: documented is an action message that holds the changed one, seen
 * live is the changed message itself.
 * @see docs/platform/events.md#edited-and-deleted-messages
 */
export function changedMessageEvent<const Trigger extends string, Facts>(
  trigger: Trigger,
  /** What the action message says was done. */
  deed: "edited" | "deleted",
  normalise: (changed: ChangedMessage) => { moment: HeadFacts; actor: string | undefined; facts: Facts },
) {
  const toEvent = (changed: ChangedMessage) => {
    const { moment, actor, facts } = normalise(changed);
    return { head: { ...moment, actor, conversation: conversationOf(changed.message) }, facts };
  };
  return defineEventOfTwoForms({
    family: "webhook",
    trigger,
    isSecond: (data) => isDeed(data, deed),
    first: {
      schema: flatForm,
      normalise: ({ message }) => toEvent({ message, field: "data.message", by: undefined, at: {} }),
    },
    second: {
      schema: deedForm,
      normalise: ({ message: action }) => {
        const { by, on } = action.data.entities;
        const { conversationId, receiverType, receiver, sender, sentAt } = action;
        return toEvent({
          // A deleted message may hold no more than its id; the deed was done in the same conversation.
          message: {
            ...on.entity,
            conversationId: on.entity.conversationId ?? conversationId,
            receiverType: on.entity.receiverType ?? receiverType,
            receiver: on.entity.receiver ?? receiver,
          },
          field: "data.message.data.entities.on.entity",
          by: by?.entity?.uid ?? sender,
          at: { "data.message.sentAt": sentAt },
        });
      },
    },
  });
}
