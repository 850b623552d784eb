import { recordStored } from "../chat/message-effects.ts";
import { conversationIdOf } from "../chat/message-store.ts";
import type { JsonObject } from "../json.ts";
import type { PhoneCallSignal } from "../services/happenings.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import type { CallParticipant, PhoneCall } from "../store/calls.ts";
import type { Recipient } from "../store/message-draft.ts";
import { type Message, nextMessageId, putMessage } from "../store/messages.ts";
import { findUser, type User } from "../store/users.ts";
import { groupEntity, userEntity } from "../wire/show.ts";

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
export function signalCall(services: Services, app: App, signal: Signal): Message {
  const { action, trigger, call, by, to } = signal;
  const at = nowSeconds(services);
  const message: Message = {
    id: nextMessageId(services.db, app.appId),
    conversationId: conversationIdOf(by.uid, to),
    sender: by.uid,
    receiverType: to.type,
    receiver: to.type === "user" ? to.user.uid : to.group.guid,
    category: "call",
    type: call.type,
    data: {
      action,
      entities: { by: userEntity(by), for: entityOf(to), on: callEntity(signal) },
    },
    sentAt: at,
    updatedAt: at,
  };
  putMessage(services.db, app.appId, message);
  recordStored(services.db, app.appId, message);
  if (trigger !== undefined) {
    services.outbox.emit(app, trigger, {
      call: services.switches.callEntities ? message : bare(signal, message),
    });
  }
  const { sessionId, type: callType } = call;
  services.announce(app, "phoneCallSignalled", {
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
  services: Services,
  app: App,
  call: PhoneCall,
  event: { kind: "started" | "participant_joined" | "participant_left" | "ended"; data: JsonObject },
): void {
  const prefix = call.mode === "call" ? "call" : "meeting";
  services.outbox.emit(
    app,
    `${prefix}_${event.kind}`,
    { ...event.data, sessionId: call.sessionId },
    { extra: { type: call.mode === "call" ? "call" : "meet" } },
  );
}

/** Shows who took part, with flags as text. `uid` came live and is missing on the pages: a switch. */
export function showOccupant(
  services: Services,
  app: App,
  call: PhoneCall,
  { uid, joinedAt, leftAt }: CallParticipant,
): JsonObject {
  return {
    ...(services.switches.occupantUid ? { uid } : {}),
    joined_at: joinedAt,
    audio_call: String(call.type === "audio"),
    ...(leftAt === undefined ? {} : { left_at: leftAt }),
    name: findUser(services.db, app.appId, uid)?.name ?? uid,
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
      data: { entities: { sender: userEntity(caller), receiver: entityOf(callee) } },
    },
    entityType: "call",
  };
}

// Four of the five printed samples show only the action; call_initiated always carries entities.
function bare({ trigger, action }: Signal, message: Message): Message {
  return trigger === "call_initiated" ? message : { ...message, data: { action } };
}

function entityOf(recipient: Recipient): JsonObject {
  return recipient.type === "user" ? userEntity(recipient.user) : groupEntity(recipient.group);
}
