import { isActionMessage } from "./action-message.ts";
import { conversationOf } from "./conversation.ts";
import { defineEvents } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { partialMessageSchema } from "./message.ts";
import { each, id, open, optional, orEmpty, text, time } from "./scalars.ts";
import type { PartialMessage } from "./types/message.ts";
import { userSchema } from "./users-and-groups.ts";

const actionForm = open({
  message: open({
    ...each(["conversationId", "sender", "receiver"], id),
    receiverType: optional(text),
    sentAt: optional(time),
    data: open({
      entities: open({
        by: orEmpty(open({ entity: optional(userSchema) })),
        on: open({ entity: partialMessageSchema }),
      }),
    }),
  }),
});

/**
 * Reads either form: as documented, an action message that contains the changed one; as seen live, the
 * changed message itself.
 * @see docs/internals/platform/events.md#edited-and-deleted-messages
 */
export function changedMessageEvent<const Trigger extends string, Facts>(
  trigger: Trigger,
  action: "edited" | "deleted",
  factsOf: (message: PartialMessage, by: string | undefined, at: Date | undefined) => Facts,
) {
  /** `by` and `moments` apply if the message does not name them. */
  const toEvent = (
    message: PartialMessage,
    field: string,
    by?: string,
    moments: Record<string, Date | undefined> = {},
  ) => {
    const { [`${action}At` as const]: changedAt, [`${action}By` as const]: actor = by } = message;
    const moment = firstMoment({ [`${field}.${action}At`]: changedAt, ...moments });
    const head = { ...moment, actor, conversation: conversationOf(message) };
    return { head, facts: factsOf(message, actor, moment.occurredAt) };
  };
  return defineEvents(
    "webhook",
    [trigger],
    open({ message: partialMessageSchema }),
    ({ message }) => toEvent(message, "data.message"),
    {
      isUsed: (data) => isActionMessage(data, action),
      schema: actionForm,
      normalise: ({ message: { data, conversationId, receiverType, receiver, sender, sentAt } }) => {
        const { by, on } = data.entities;
        const message = {
          ...on.entity,
          // May hold only its id; it was deleted in the same conversation.
          conversationId: on.entity.conversationId ?? conversationId,
          receiverType: on.entity.receiverType ?? receiverType,
          receiver: on.entity.receiver ?? receiver,
        };
        const field = "data.message.data.entities.on.entity";
        return toEvent(message, field, by.entity?.uid ?? sender, { "data.message.sentAt": sentAt });
      },
    },
  );
}
