import { requireCallAccess } from "../access/operation-access.ts";
import { requireParty, requireUserByUid } from "../chat/lookup.ts";
import { requireUnblocked } from "../chat/message-validate.ts";
import { ensure, notJoined } from "../errors/platform-error.ts";
import { type AppServices, nowSeconds } from "../services/services.ts";
import { type CallStatus, listCalls, type PhoneCall, putCall } from "../store/calls.ts";
import { findMember } from "../store/groups.ts";
import type { Recipient } from "../store/messages.ts";
import type { User } from "../store/users.ts";
import { recipientId } from "../wire/show.ts";
import {
  newCall,
  newCallId,
  partiesOf,
  requireLiveCall,
  requireParticipant,
  type Seat,
  type Signal,
  signalCall,
  uidsOf,
} from "./call-events.ts";

export function placeCall(
  services: AppServices,
  asked: { caller: string; receiver: string; receiverType: "user" | "group"; type: "audio" | "video" },
): PhoneCall {
  const caller = requireUserByUid(services, asked.caller);
  const callee = requireParty(services, { type: asked.receiverType, id: asked.receiver });
  refuseBadPlace(services, caller, callee);
  requireCallAccess({ ...services, actor: caller }, callee, asked.type);
  const others = uidsOf(services, callee).filter((uid) => uid !== caller.uid);
  const call: PhoneCall = {
    ...newCall(services, {
      sessionId: newCallId(services, "session"),
      mode: "call",
      type: asked.type,
      initiator: caller.uid,
      receiver: recipientId(callee),
      receiverType: asked.receiverType,
    }),
    participants: [caller.uid, ...others].map((uid) => ({ uid, state: "unanswered" })),
  };
  putCall(services, call);
  signalCall(services, { action: "initiated", call, by: caller, to: callee });
  return call;
}

export function rejectCall(
  services: AppServices,
  { sessionId, uid, isBusy }: Seat & { isBusy: boolean },
): PhoneCall {
  const call = requireRinging(services, sessionId);
  const callee = requireUserByUid(services, uid);
  requireParticipant(call, callee.uid);
  ensure(call.receiverType !== "group", "ERR_CALL_GROUP_INVALID_STATUS", "A group call cannot be rejected.");
  ensure(
    callee.uid !== call.initiator,
    "ERR_CALL_BUSY_SELF",
    "The caller cancels a call, the callee rejects it.",
  );
  return finish(services, call, {
    status: "rejected",
    action: isBusy ? "busy" : "rejected",
    by: callee,
  });
}

export function cancelCall(services: AppServices, asked: Seat): PhoneCall {
  const call = requireRinging(services, asked.sessionId);
  const caller = requireUserByUid(services, asked.uid);
  ensure(caller.uid === call.initiator, "ERR_CALL_NOT_A_PART", `Only ${call.initiator} may cancel the call.`);
  return finish(services, call, { status: "canceled", action: "cancelled", by: caller });
}

export function leaveUnanswered(services: AppServices, sessionId: string): PhoneCall {
  const call = requireRinging(services, sessionId);
  const { caller } = partiesOf(services, call);
  return finish(services, call, { status: "unanswered", action: "unanswered", by: caller });
}

function finish(
  services: AppServices,
  call: PhoneCall,
  { status, action, by }: { status: CallStatus } & Pick<Signal, "action" | "by">,
) {
  const { caller, callee } = partiesOf(services, call);
  const over: PhoneCall = {
    ...call,
    status,
    endedAt: nowSeconds(services),
    participants: call.participants.map((participant) =>
      status === "rejected" && participant.uid === by.uid
        ? { ...participant, state: "rejected" }
        : participant,
    ),
  };
  putCall(services, over);
  const to = by.uid === caller.uid ? callee : ({ type: "user", user: caller } as const);
  signalCall(services, { action, call: over, by, to });
  return over;
}

function requireRinging(services: AppServices, sessionId: string) {
  const call = requireLiveCall(services, sessionId);
  ensure(
    call.status !== "ongoing",
    "ERR_CALL_ONGOING_TO_INVALID",
    `The call ${sessionId} is under way already.`,
  );
  return call;
}

function refuseBadPlace(services: AppServices, caller: User, callee: Recipient) {
  ensure(
    callee.type !== "user" || callee.user.uid !== caller.uid,
    "ERR_CALLING_SELF",
    `The user ${caller.uid} cannot call themselves.`,
  );
  if (callee.type === "group" && findMember(services, callee.group.guid, caller.uid) === undefined) {
    throw notJoined(caller.uid, callee.group.guid);
  }
  if (callee.type === "user") requireUnblocked(services, caller.uid, callee.user.uid, false);
  const isInCall = listCalls(services).some(
    ({ status, participants }) =>
      status === "ongoing" &&
      participants.some(({ uid, state }) => uid === caller.uid && state === "ongoing"),
  );
  ensure(!isInCall, "ERR_CALL_BUSY_SELF", `The user ${caller.uid} is in a call already.`);
}
