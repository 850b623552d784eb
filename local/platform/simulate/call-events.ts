import { hash } from "node:crypto";
import { requireParty, requireUserByUid } from "../chat/lookup.ts";
import { conversationIdOf, storeActionMessage } from "../chat/message-store.ts";
import { ensure, found } from "../errors/platform-error.ts";
import { defined, type JsonObject, pick } from "../json.ts";
import { type AppServices, nowSeconds, type PhoneCallSignal } from "../services/services.ts";
import { type CallParticipant, findCall, type PhoneCall } from "../store/calls.ts";
import { nextNumber } from "../store/database.ts";
import { listMemberUids } from "../store/groups.ts";
import type { Message, Recipient } from "../store/messages.ts";
import { findUser, type User } from "../store/users.ts";
import { recipientEntity, userEntity } from "../wire/show.ts";

export type Seat = { sessionId: string; uid: string };

/** `by` and `to` swap when the callee acts. */
export type Signal = { action: PhoneCallSignal["callAction"]; call: PhoneCall; by: User; to: Recipient };

/** @see docs/internals/platform/events.md#call-signalling */
export function signalCall(services: AppServices, { action, call, by, to }: Signal): Message {
  const message = storeActionMessage(services, {
    by,
    recipient: to,
    conversationId: conversationIdOf(by.uid, to),
    category: "call",
    type: call.type,
    action,
    on: callEntity(services, call),
  });
  if (action !== "ongoing") {
    // Four of five samples have only the action.
    const isWhole = services.switches.callEntities || action === "initiated";
    services.emit(`call_${action}`, { call: isWhole ? message : { ...message, data: { action } } });
  }
  const { sessionId, type: callType } = call;
  services.announce(services.app, "phoneCallSignalled", {
    message,
    recipients: uidsOf(services, to).filter((uid) => uid !== by.uid),
    callAction: action,
    sessionId,
    callType,
  });
  return message;
}

/** @see docs/internals/platform/events.md#envelope */
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

export function showOccupant(
  services: AppServices,
  call: PhoneCall,
  { uid, joinedAt, leftAt }: CallParticipant,
): JsonObject {
  return {
    ...(services.switches.occupantUid && { uid }),
    joined_at: joinedAt,
    audio_call: String(call.type === "audio"),
    ...defined({ left_at: leftAt }),
    name: findUser(services, uid)?.name ?? uid,
  };
}

function callEntity(services: AppServices, call: PhoneCall) {
  const { caller, callee } = partiesOf(services, call);
  return {
    entity: {
      sessionid: call.sessionId,
      conversationId: conversationIdOf(caller.uid, callee),
      sender: caller.uid,
      ...pick(call, "receiverType", "receiver", "status", "type", "initiatedAt"),
      ...(call.startedAt !== undefined && { startedAt: call.startedAt, joinedAt: call.startedAt }),
      data: { entities: { sender: userEntity(caller), receiver: recipientEntity(callee) } },
    },
    entityType: "call",
  };
}

export function requireCall(services: AppServices, sessionId: string): PhoneCall {
  return found(
    findCall(services, sessionId),
    "ERR_CALL_SESSION_NOT_FOUND",
    `The call session ${sessionId} does not exist.`,
  );
}

export function requireLiveCall(services: AppServices, sessionId: string): PhoneCall {
  const call = requireCall(services, sessionId);
  ensure(
    call.status === "initiated" || call.status === "ongoing",
    "ERR_CALL_TERMINATED",
    `The call ${sessionId} is over (${call.status}).`,
  );
  return call;
}

export function requireParticipant(call: PhoneCall, uid: string): CallParticipant {
  return found(
    call.participants.find((item) => item.uid === uid),
    "ERR_CALL_NOT_A_PART",
    `The user ${uid} is no part of the call ${call.sessionId}.`,
  );
}

export function partiesOf(services: AppServices, call: PhoneCall): { caller: User; callee: Recipient } {
  return {
    caller: requireUserByUid(services, call.initiator),
    callee: requireParty(services, { type: call.receiverType, id: call.receiver }),
  };
}

export function uidsOf(services: AppServices, recipient: Recipient): string[] {
  if (recipient.type === "user") return [recipient.user.uid];
  return listMemberUids(services, recipient.group.guid);
}

/** Returns the same ids in each run. */
export function newCallId(
  services: AppServices,
  kind: "session" | "mid" | "recording" | "transcript",
): string {
  const number = nextNumber(services, `call:${kind}`);
  const hex = hash("sha256", `${services.appId}/${kind}/${number}`);
  if (kind === "session") return `v1.${services.app.region}.${services.appId}.${hex.slice(0, 26)}`;
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

export function newCall(
  services: AppServices,
  call: Pick<PhoneCall, "sessionId" | "mode" | "type" | "initiator" | "receiver" | "receiverType">,
): PhoneCall {
  return {
    ...call,
    mid: newCallId(services, "mid"),
    status: "initiated",
    initiatedAt: nowSeconds(services),
    participants: [],
    recordings: [],
    transcriptions: [],
    tags: [],
  };
}
