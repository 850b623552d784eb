import { createHash } from "node:crypto";
import { requireGroupByGuid } from "../chat/group-lookup.ts";
import { requireUserByUid } from "../chat/user-lookup.ts";
import { PlatformError } from "../errors/platform-error.ts";
import type { AppServices } from "../services/services.ts";
import { type CallParticipant, findCall, type PhoneCall } from "../store/calls.ts";
import { nextNumber } from "../store/counters.ts";
import { listMemberUids } from "../store/groups.ts";
import type { Recipient } from "../store/messages.ts";
import type { User } from "../store/users.ts";

/** Finds a call. @throws PlatformError ERR_CALL_SESSION_NOT_FOUND */
export function requireCall(services: AppServices, sessionId: string): PhoneCall {
  const call = findCall(services, sessionId);
  if (call === undefined) {
    throw new PlatformError("ERR_CALL_SESSION_NOT_FOUND", `The call session ${sessionId} does not exist.`);
  }
  return call;
}

/** Finds a call that is not over. @throws PlatformError ERR_CALL_SESSION_NOT_FOUND, ERR_CALL_TERMINATED */
export function requireLiveCall(services: AppServices, sessionId: string): PhoneCall {
  const call = requireCall(services, sessionId);
  if (call.status !== "initiated" && call.status !== "ongoing") {
    throw new PlatformError("ERR_CALL_TERMINATED", `The call ${sessionId} is over (${call.status}).`);
  }
  return call;
}

/** Finds a person of a call. @throws PlatformError ERR_CALL_NOT_A_PART */
export function requireParticipant(call: PhoneCall, uid: string): CallParticipant {
  const participant = call.participants.find((item) => item.uid === uid);
  if (participant === undefined) {
    throw new PlatformError(
      "ERR_CALL_NOT_A_PART",
      `The user ${uid} is no part of the call ${call.sessionId}.`,
    );
  }
  return participant;
}

/** Gives caller and callee of a call. */
export function partiesOf(services: AppServices, call: PhoneCall): { caller: User; callee: Recipient } {
  return {
    caller: requireUserByUid(services, call.initiator),
    callee: findRecipient(services, { type: call.receiverType, id: call.receiver }),
  };
}

/** Finds who is called. @throws PlatformError ERR_UID_NOT_FOUND, ERR_GUID_NOT_FOUND */
export function findRecipient(
  services: AppServices,
  target: { type: "user" | "group"; id: string },
): Recipient {
  if (target.type === "user") return { type: "user", user: requireUserByUid(services, target.id) };
  return { type: "group", group: requireGroupByGuid(services, target.id) };
}

/** Lists the uids a recipient stands for. */
export function uidsOf(services: AppServices, recipient: Recipient): string[] {
  if (recipient.type === "user") return [recipient.user.uid];
  return listMemberUids(services, recipient.group.guid);
}

/** Gives the next id of a kind: the same run gives the same ids. */
export function newCallId(
  services: AppServices,
  kind: "session" | "mid" | "recording" | "transcript",
): string {
  const number = nextNumber(services, `call:${kind}`);
  const hex = createHash("sha256").update(`${services.appId}/${kind}/${number}`).digest("hex");
  if (kind === "session") return `v1.${services.app.region}.${services.appId}.${hex.slice(0, 26)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}
