import { conversationOf } from "./conversation.ts";
import { defineEvents, firstMoment } from "./define-event.ts";

import { each, id, open, optional, orEmpty, text, time } from "./scalars.ts";
import type { RingingCall } from "./types/call-events.ts";
import { userSchema } from "./users-and-groups.ts";

/** `sessionid` is lower case in this layer. */
const callEntity = open({
  ...each(["sessionid", "sender", "receiver"], id),
  ...each(["type", "receiverType"], text),
  initiatedAt: optional(time),
});

const callData = open({
  call: open({
    id,
    ...each(["conversationId", "sender", "receiver"], id),
    ...each(["receiverType", "type"], text),
    sentAt: optional(time),
    data: orEmpty(
      open({
        entities: orEmpty(
          open({
            by: orEmpty(open({ entity: optional(userSchema) })),
            on: orEmpty(open({ entity: orEmpty(callEntity) })),
          }),
        ),
      }),
    ),
  }),
});

/**
 * No event reports an accepted call; `call_started` shows it.
 * @see docs/internals/platform/events.md#call-signalling
 */
export const callEvents = defineEvents(
  "webhook",
  ["call_initiated", "call_busy", "call_cancelled", "call_rejected", "call_unanswered"],
  callData,
  ({ call: message }, trigger) => {
    const { by, on } = message.data.entities;
    const { entity } = on;
    const isGroup = (entity.receiverType ?? message.receiverType) === "group";
    // The sender is the user who acts: the callee, for a rejected or busy call
    // (docs/internals/platform/events.md#call-signalling).
    const isFromCallee = !isGroup && (trigger === "call_rejected" || trigger === "call_busy");
    const [caller, callee] = isFromCallee
      ? [message.receiver, message.sender]
      : [message.sender, message.receiver];
    const call: RingingCall = {
      id: message.id,
      sessionId: entity.sessionid,
      type: entity.type ?? message.type,
      caller: entity.sender ?? caller,
      callee: entity.receiver ?? callee,
      calleeType: isGroup ? "group" : "user",
      initiatedAt: entity.initiatedAt,
    };
    const head = {
      ...firstMoment({ "data.call.sentAt": message.sentAt }),
      actor: by.entity?.uid ?? message.sender,
      conversation: conversationOf(message),
    };
    return { head, facts: { call } };
  },
);
