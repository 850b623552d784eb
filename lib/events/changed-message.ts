import { isActionMessage } from "./action-message.ts";
import { conversationOf } from "./conversation.ts";
import { defineEventOfTwoForms, type HeadFacts } from "./define-event.ts";
import { partialMessageSchema } from "./message.ts";
import { id, open, optional, text, time } from "./scalars.ts";
import type { PartialMessage } from "./types/message.ts";
import { userSchema } from "./users-and-groups.ts";

interface ChangedMessage {
  readonly message: PartialMessage;
  /** The field of the delivery that held it. */
  readonly field: string;
  /** The acting user, if the message does not name one. */
  readonly by: string | undefined;
  /** The times that the message lacks, by field. */
  readonly at: Record<string, Date | undefined>;
}

const flatForm = open({ message: partialMessageSchema });

const actionForm = open({
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
 * Returns the reader of a changed message in either form: as documented, an action message that contains the
 * changed one; as seen live, the changed message itself.
 * @see docs/internals/platform/events.md#edited-and-deleted-messages
 */
export function changedMessageEvent<const Trigger extends string, Facts>(
  trigger: Trigger,
  action: "edited" | "deleted",
  normalise: (changed: ChangedMessage) => { moment: HeadFacts; actor: string | undefined; facts: Facts },
) {
  const toEvent = (changed: ChangedMessage) => {
    const { moment, actor, facts } = normalise(changed);
    return { head: { ...moment, actor, conversation: conversationOf(changed.message) }, facts };
  };
  return defineEventOfTwoForms({
    family: "webhook",
    trigger,
    isSecond: (data) => isActionMessage(data, action),
    first: {
      schema: flatForm,
      normalise: ({ message }) => toEvent({ message, field: "data.message", by: undefined, at: {} }),
    },
    second: {
      schema: actionForm,
      normalise: ({ message: action }) => {
        const { by, on } = action.data.entities;
        const { conversationId, receiverType, receiver, sender, sentAt } = action;
        return toEvent({
          // A deleted message may hold only its id; it was deleted in the same conversation.
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
