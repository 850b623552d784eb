import { requireUserByUid } from "../chat/user-lookup.ts";
import { PlatformError } from "../errors/platform-error.ts";
import type { JsonObject } from "../json.ts";
import { nowSeconds, type Services } from "../services/services.ts";
import type { App } from "../store/apps.ts";
import { type CallParticipant, findCall, type PhoneCall, putCall } from "../store/calls.ts";
import type { User } from "../store/users.ts";
import { emitMedia, showOccupant, signalCall } from "./call-events.ts";
import {
  newCallId,
  partiesOf,
  requireCall,
  requireLiveCall,
  requireParticipant,
  uidsOf,
} from "./call-lookup.ts";

/**
 * Answers a ringing call: the caller and who answers join its session. Acceptance itself has no webhook.
 * @throws PlatformError ERR_CALL_INVALID_INIT when the caller answers
 */
export function answerPhoneCall(
  services: Services,
  app: App,
  asked: { sessionId: string; uid: string },
): PhoneCall {
  const call = requireLiveCall(services, app, asked.sessionId);
  const user = requireUserByUid({ ...services, app }, asked.uid);
  requireParticipant(call, user.uid);
  if (user.uid === call.initiator) {
    throw new PlatformError("ERR_CALL_INVALID_INIT", "The caller cannot answer their own call.");
  }
  return services.db.transaction(() => {
    const { caller, callee } = partiesOf(services, app, call);
    const isFirst = call.status === "initiated";
    const begun = isFirst ? join(services, app, call, caller) : call;
    const joined = join(services, app, begun, user);
    const to = callee.type === "group" ? callee : ({ type: "user", user: caller } as const);
    const pushTo = uidsOf(services, app, to).filter((uid) => uid !== user.uid);
    signalCall(services, app, { action: "ongoing", call: joined, by: user, to, caller, callee, pushTo });
    return joined;
  });
}

/** Joins the session of a call that is under way. @throws PlatformError ERR_CALL_USER_ALREADY_JOINED */
export function joinCall(services: Services, app: App, asked: { sessionId: string; uid: string }): PhoneCall {
  const call = requireLiveCall(services, app, asked.sessionId);
  const user = requireUserByUid({ ...services, app }, asked.uid);
  if (call.mode === "call") requireParticipant(call, user.uid);
  return services.db.transaction(() => join(services, app, call, user));
}

/** Joins a meeting, which begins with its first participant. The session id is the customer's own. */
export function joinMeeting(
  services: Services,
  app: App,
  asked: { sessionId: string; uid: string; type: "audio" | "video" },
): PhoneCall {
  const user = requireUserByUid({ ...services, app }, asked.uid);
  const known = findCall(services.db, app.appId, asked.sessionId);
  const meeting: PhoneCall =
    known !== undefined && known.status === "ongoing"
      ? known
      : {
          sessionId: asked.sessionId,
          mid: newCallId(services, app, "mid"),
          mode: "meet",
          type: asked.type,
          status: "initiated",
          initiator: user.uid,
          // A meeting rings nobody; what the Calls API shows as its receiver is not documented.
          receiver: asked.sessionId,
          receiverType: "group",
          initiatedAt: nowSeconds(services),
          participants: [],
          recordings: [],
          transcriptions: [],
          tags: [],
        };
  return services.db.transaction(() => join(services, app, meeting, user));
}

/** Leaves a session; the last to leave ends it. @throws PlatformError ERR_CALL_GROUP_ALREADY_LEFT, ERR_CALL_NOT_STARTED */
export function leaveCall(
  services: Services,
  app: App,
  asked: { sessionId: string; uid: string },
): PhoneCall {
  const call = requireUnderWay(services, app, asked.sessionId);
  const participant = requireParticipant(call, asked.uid.toLowerCase());
  if (participant.state !== "ongoing") {
    throw new PlatformError("ERR_CALL_GROUP_ALREADY_LEFT", `The user ${participant.uid} has left already.`);
  }
  return services.db.transaction(() => {
    const left = leave(services, app, call, participant);
    return left.participants.some(({ state }) => state === "ongoing") ? left : close(services, app, left);
  });
}

/** Ends a session for everybody who is in it. @throws PlatformError ERR_CALL_NOT_STARTED */
export function endCall(services: Services, app: App, sessionId: string): PhoneCall {
  return services.db.transaction(() => {
    let call = requireUnderWay(services, app, sessionId);
    for (const participant of call.participants) {
      if (participant.state === "ongoing") call = leave(services, app, call, participant);
    }
    return close(services, app, call);
  });
}

/** Makes a recording of a session that began, and tells so. @throws PlatformError ERR_CALL_NOT_STARTED */
export function generateRecording(services: Services, app: App, sessionId: string): JsonObject {
  const call = requireCall(services, app, sessionId);
  const { startTime, endTime } = spanOf(services, call);
  const rid = newCallId(services, app, "recording");
  const recording_url = `https://recordings-${app.region}.cometchat.io/${app.appId}/${rid}.mp4`;
  const duration = endTime - startTime;
  putCall(services.db, app.appId, {
    ...call,
    recordings: [...call.recordings, { rid, duration, startTime, endTime, recording_url }],
  });
  const data = {
    recordingDate: dayOf(startTime),
    duration: duration.toFixed(6),
    startTime: String(startTime),
    sessionId,
    recording_url,
  };
  services.outbox.emit(app, "recording_generated", data);
  return data;
}

/** Makes a transcript of a session that began, and tells so. @throws PlatformError ERR_CALL_NOT_STARTED */
export function generateTranscription(services: Services, app: App, sessionId: string): JsonObject {
  const call = requireCall(services, app, sessionId);
  const { startTime, endTime } = spanOf(services, call);
  const tid = newCallId(services, app, "transcript");
  const url = `https://transcripts.cometchat.io/${app.appId}/transcript_${dayOf(startTime)}_${tid}.json`;
  putCall(services.db, app.appId, {
    ...call,
    transcriptions: [
      ...call.transcriptions,
      {
        roomName: `${sessionId}@conference.rtc.example`,
        mid: call.mid,
        tid,
        startTime,
        endTime,
        transcriptDate: new Date(startTime * 1_000).toISOString(),
        transcriptUrl: url,
      },
    ],
  });
  const data = { sessionId, tid, transcriptDate: dayOf(startTime), transcript_url: url, startTime, endTime };
  services.outbox.emit(app, "transcription_generated", data);
  return data;
}

function join(services: Services, app: App, call: PhoneCall, user: User): PhoneCall {
  const former = call.participants.find((participant) => participant.uid === user.uid);
  if (former?.state === "ongoing") {
    throw new PlatformError("ERR_CALL_USER_ALREADY_JOINED", `The user ${user.uid} has joined already.`);
  }
  const at = nowSeconds(services);
  const participant: CallParticipant = {
    uid: user.uid,
    state: "ongoing",
    deviceId: `${user.uid}@rtc.example/web`,
    mid: call.mid,
    joinedAt: at,
  };
  const others = call.participants.filter(({ uid }) => uid !== user.uid);
  const startedAt = call.startedAt ?? at;
  const joined: PhoneCall = { ...call, status: "ongoing", startedAt, participants: [...others, participant] };
  putCall(services.db, app.appId, joined);
  if (call.startedAt === undefined) {
    emitMedia(services, app, joined, { kind: "started", data: { created_at: startedAt } });
  }
  emitMedia(services, app, joined, {
    kind: "participant_joined",
    data: {
      occupant: showOccupant(services, app, joined, participant),
      initial_config: initialConfig(joined),
    },
  });
  return joined;
}

function leave(services: Services, app: App, call: PhoneCall, participant: CallParticipant): PhoneCall {
  const gone: CallParticipant = { ...participant, state: "ended", leftAt: nowSeconds(services) };
  const left: PhoneCall = {
    ...call,
    participants: call.participants.map((item) => (item.uid === gone.uid ? gone : item)),
  };
  putCall(services.db, app.appId, left);
  emitMedia(services, app, left, {
    kind: "participant_left",
    data: { occupant: showOccupant(services, app, left, gone) },
  });
  return left;
}

function close(services: Services, app: App, call: PhoneCall): PhoneCall {
  const endedAt = nowSeconds(services);
  const ended: PhoneCall = { ...call, status: "ended", endedAt };
  putCall(services.db, app.appId, ended);
  emitMedia(services, app, ended, {
    kind: "ended",
    data: {
      all_occupants: ended.participants
        .filter(({ joinedAt }) => joinedAt !== undefined)
        .map((participant) => showOccupant(services, app, ended, participant)),
      destroyed_at: endedAt,
      created_at: ended.startedAt,
    },
  });
  return ended;
}

function requireUnderWay(services: Services, app: App, sessionId: string): PhoneCall {
  const call = requireLiveCall(services, app, sessionId);
  if (call.status === "ongoing") return call;
  throw new PlatformError("ERR_CALL_NOT_STARTED", `The call ${sessionId} has not started yet.`);
}

function spanOf(services: Services, call: PhoneCall): { startTime: number; endTime: number } {
  const { startedAt, endedAt } = call;
  if (startedAt === undefined) {
    throw new PlatformError("ERR_CALL_NOT_STARTED", `The call ${call.sessionId} never started.`);
  }
  return { startTime: startedAt, endTime: endedAt ?? nowSeconds(services) };
}

function initialConfig(call: PhoneCall): JsonObject {
  return {
    is_video_muted: "false",
    start_recording_on_call_start: "false",
    call_version: "4.0.0",
    is_audio_muted: "false",
    sdk: "react",
    mode: "DEFAULT",
    platform: "web",
    is_audio_only: String(call.type === "audio"),
  };
}

function dayOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}
