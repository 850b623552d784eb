import { conversationIdOf, recordStored } from "../chat/message-store.ts";
import { defined, type JsonObject } from "../json.ts";
import type { PhoneCallSignal } from "../services/happenings.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import type { CallParticipant, PhoneCall } from "../store/calls.ts";
import { type Message, nextMessageId, putMessage, type Recipient } from "../store/messages.ts";
import { findUser, type User } from "../store/users.ts";
import { recipientEntity, recipientId, userEntity } from "../wire/show.ts";

/** What one party did in the signalling of a call. `by` and `to` flip when the callee acts. */
export type Signal = {
  action: PhoneCallSignal["callAction"];
  trigger?: "call_initiated" | "call_cancelled" | "call_rejected" | "call_busy" | "call_unanswered";
  call: PhoneCall;
  by: User;
  to: Recipient;
  caller: User;
  callee: Recipient;
  pushTo: readonly string[];
};

/**
 * Stores the call's action message, tells the webhooks if the action has a trigger, and pushes.
 * @see docs/platform/events.md#call-signalling
 */
export function signalCall(services: AppServices, signal: Signal): Message {
  const { action, trigger, call, by, to } = signal;
  const at = nowSeconds(services);
  const message: Message = {
    id: nextMessageId(services),
    conversationId: conversationIdOf(by.uid, to),
    sender: by.uid,
    receiverType: to.type,
    receiver: recipientId(to),
    category: "call",
    type: call.type,
    data: {
      action,
      entities: { by: userEntity(by), for: recipientEntity(to), on: callEntity(signal) },
    },
    sentAt: at,
    updatedAt: at,
  };
  putMessage(services, message);
  recordStored(services, message);
  if (trigger !== undefined) {
    services.emit(trigger, {
      call: services.switches.callEntities ? message : bare(signal, message),
    });
  }
  const { sessionId, type: callType } = call;
  services.announce(services.app, "phoneCallSignalled", {
    message,
    recipients: signal.pushTo,
    callAction: action,
    sessionId,
    callType,
  });
  return message;
}

/** Emits a media event of a call or meeting, with the top-level `type`. @see docs/platform/events.md#envelope */
export function emitMedia(
  services: AppServices,
  call: PhoneCall,
  event: { kind: "started" | "participant_joined" | "participant_left" | "ended"; data: JsonObject },
): void {
  const prefix = call.mode === "call" ? "call" : "meeting";
  services.emit(
    `${prefix}_${event.kind}`,
    { ...event.data, sessionId: call.sessionId },
    { extra: { type: call.mode === "call" ? "call" : "meet" } },
  );
}

/** Shows who took part, with flags as text. `uid` came live and is missing on the pages: a switch. */
export function showOccupant(
  services: AppServices,
  call: PhoneCall,
  { uid, joinedAt, leftAt }: CallParticipant,
): JsonObject {
  return {
    ...(services.switches.occupantUid ? { uid } : {}),
    joined_at: joinedAt,
    audio_call: String(call.type === "audio"),
    ...defined({ left_at: leftAt }),
    name: findUser(services, uid)?.name ?? uid,
  };
}

function callEntity({ call, caller, callee }: Signal): JsonObject {
  return {
    entity: {
      sessionid: call.sessionId,
      conversationId: conversationIdOf(caller.uid, callee),
      sender: caller.uid,
      receiverType: call.receiverType,
      receiver: call.receiver,
      status: call.status,
      type: call.type,
      initiatedAt: call.initiatedAt,
      ...(call.startedAt === undefined ? {} : { startedAt: call.startedAt, joinedAt: call.startedAt }),
      data: { entities: { sender: userEntity(caller), receiver: recipientEntity(callee) } },
    },
    entityType: "call",
  };
}

// Four of the five printed samples show only the action; call_initiated always carries entities.
function bare({ trigger, action }: Signal, message: Message): Message {
  return trigger === "call_initiated" ? message : { ...message, data: { action } };
}
