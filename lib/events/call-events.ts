import type * as z from "zod/mini";
import { conversationOf } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { id, open, optional, text, time } from "./scalars.ts";
import type { RingingCall } from "./types/call-events.ts";
import { userSchema } from "./users-and-groups.ts";

const callData = open({
  call: open({
    id,
    conversationId: optional(id),
    sender: optional(id),
    receiverType: optional(text),
    receiver: optional(id),
    type: optional(text),
    sentAt: optional(time),
    data: optional(
      open({
        action: optional(text),
        entities: optional(
          open({
            by: optional(open({ entity: optional(userSchema) })),
            on: optional(
              open({
                entity: optional(
                  open({
                    /** All lower case in this layer. */
                    sessionid: optional(id),
                    type: optional(text),
                    sender: optional(id),
                    receiver: optional(id),
                    receiverType: optional(text),
                    initiatedAt: optional(time),
                  }),
                ),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
});

/**
 * Reads the signalling of phone calls. No event reports an accepted call; `call_started` shows it.
 * @see docs/internals/platform/events.md#call-signalling
 */
export const callEvents = {
  call_initiated: callEvent("call_initiated"),
  call_busy: callEvent("call_busy"),
  call_cancelled: callEvent("call_cancelled"),
  call_rejected: callEvent("call_rejected"),
  call_unanswered: callEvent("call_unanswered"),
};

function callEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family: "webhook",
    trigger,
    schema: callData,
    normalise: ({ call: message }) => {
      const { by, on } = message.data?.entities ?? {};
      const call = toCall(trigger, message, on?.entity);
      const head = {
        ...firstMoment({ "data.call.sentAt": message.sentAt }),
        actor: by?.entity?.uid ?? message.sender,
        conversation: conversationOf(message),
      };
      return { head, facts: { call } };
    },
  });
}

type CallMessage = z.output<typeof callData>["call"];
type CallEntity = NonNullable<
  NonNullable<NonNullable<NonNullable<CallMessage["data"]>["entities"]>["on"]>["entity"]
>;

/**
 * The message's sender is the user who acts: for a rejected or busy call, the callee
 * (docs/internals/platform/events.md#call-signalling).
 */
function toCall(trigger: string, message: CallMessage, entity: CallEntity | undefined): RingingCall {
  const isGroup = (entity?.receiverType ?? message.receiverType) === "group";
  const isFromCallee = !isGroup && (trigger === "call_rejected" || trigger === "call_busy");
  const [caller, callee] = isFromCallee
    ? [message.receiver, message.sender]
    : [message.sender, message.receiver];
  return {
    id: message.id,
    sessionId: entity?.sessionid,
    type: entity?.type ?? message.type,
    caller: entity?.sender ?? caller,
    callee: entity?.receiver ?? callee,
    calleeType: isGroup ? "group" : "user",
    initiatedAt: entity?.initiatedAt,
  };
}
