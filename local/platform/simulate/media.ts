import { requireUserByUid } from "../chat/lookup.ts";
import { ensure, PlatformError } from "../errors/platform-error.ts";
import type { JsonObject } from "../json.ts";
import { type AppServices, nowSeconds, type Services } from "../services/services.ts";
import { type CallParticipant, findCall, type PhoneCall, putCall } from "../store/calls.ts";
import type { User } from "../store/users.ts";
import {
  emitMedia,
  newCall,
  newCallId,
  partiesOf,
  requireCall,
  requireLiveCall,
  requireParticipant,
  type Seat,
  showOccupant,
  signalCall,
} from "./call-events.ts";

export function answerPhoneCall(services: AppServices, asked: Seat): PhoneCall {
  const call = requireLiveCall(services, asked.sessionId);
  const user = requireUserByUid(services, asked.uid);
  requireParticipant(call, user.uid);
  ensure(user.uid !== call.initiator, "ERR_CALL_INVALID_INIT", "The caller cannot answer their own call.");
  const { caller, callee } = partiesOf(services, call);
  const isFirst = call.status === "initiated";
  const joined = join(services, isFirst ? join(services, call, caller) : call, user);
  const to = callee.type === "group" ? callee : ({ type: "user", user: caller } as const);
  signalCall(services, { action: "ongoing", call: joined, by: user, to });
  return joined;
}

export function joinCall(services: AppServices, asked: Seat): PhoneCall {
  const call = requireLiveCall(services, asked.sessionId);
  const user = requireUserByUid(services, asked.uid);
  if (call.mode === "call") requireParticipant(call, user.uid);
  return join(services, call, user);
}

export function joinMeeting(services: AppServices, asked: Seat & { type: "audio" | "video" }): PhoneCall {
  const user = requireUserByUid(services, asked.uid);
  const known = findCall(services, asked.sessionId);
  const meeting: PhoneCall =
    known !== undefined && known.status === "ongoing"
      ? known
      : newCall(services, {
          sessionId: asked.sessionId,
          mode: "meet",
          type: asked.type,
          initiator: user.uid,
          // The receiver is assumed.
          receiver: asked.sessionId,
          receiverType: "group",
        });
  return join(services, meeting, user);
}

export function leaveCall(services: AppServices, asked: Seat): PhoneCall {
  const call = requireUnderWay(services, asked.sessionId);
  const participant = requireParticipant(call, asked.uid.toLowerCase());
  ensure(
    participant.state === "ongoing",
    "ERR_CALL_GROUP_ALREADY_LEFT",
    `The user ${participant.uid} has left already.`,
  );
  const left = leave(services, call, participant);
  return left.participants.some(({ state }) => state === "ongoing") ? left : close(services, left);
}

export function endCall(services: AppServices, sessionId: string): PhoneCall {
  let call = requireUnderWay(services, sessionId);
  for (const participant of call.participants) {
    if (participant.state === "ongoing") call = leave(services, call, participant);
  }
  return close(services, call);
}

export function generateRecording(services: AppServices, sessionId: string): JsonObject {
  const call = requireCall(services, sessionId);
  const { startTime, endTime } = spanOf(services, call);
  const rid = newCallId(services, "recording");
  const recording_url = `https://recordings-${services.app.region}.cometchat.io/${services.appId}/${rid}.mp4`;
  const duration = endTime - startTime;
  putCall(services, {
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
  services.emit("recording_generated", data);
  return data;
}

export function generateTranscription(services: AppServices, sessionId: string): JsonObject {
  const call = requireCall(services, sessionId);
  const { startTime, endTime } = spanOf(services, call);
  const tid = newCallId(services, "transcript");
  const url = `https://transcripts.cometchat.io/${services.appId}/transcript_${dayOf(startTime)}_${tid}.json`;
  putCall(services, {
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
  services.emit("transcription_generated", data);
  return data;
}

function join(services: AppServices, call: PhoneCall, user: User) {
  const former = call.participants.find((participant) => participant.uid === user.uid);
  ensure(
    former?.state !== "ongoing",
    "ERR_CALL_USER_ALREADY_JOINED",
    `The user ${user.uid} has joined already.`,
  );
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
  putCall(services, joined);
  if (call.startedAt === undefined) {
    emitMedia(services, joined, { kind: "started", data: { created_at: startedAt } });
  }
  emitMedia(services, joined, {
    kind: "participant_joined",
    data: {
      occupant: showOccupant(services, joined, participant),
      initial_config: initialConfig(joined),
    },
  });
  return joined;
}

function leave(services: AppServices, call: PhoneCall, participant: CallParticipant) {
  const gone: CallParticipant = { ...participant, state: "ended", leftAt: nowSeconds(services) };
  const left: PhoneCall = {
    ...call,
    participants: call.participants.map((item) => (item.uid === gone.uid ? gone : item)),
  };
  putCall(services, left);
  emitMedia(services, left, {
    kind: "participant_left",
    data: { occupant: showOccupant(services, left, gone) },
  });
  return left;
}

function close(services: AppServices, call: PhoneCall) {
  const endedAt = nowSeconds(services);
  const ended: PhoneCall = { ...call, status: "ended", endedAt };
  putCall(services, ended);
  emitMedia(services, ended, {
    kind: "ended",
    data: {
      all_occupants: ended.participants
        .filter(({ joinedAt }) => joinedAt !== undefined)
        .map((participant) => showOccupant(services, ended, participant)),
      destroyed_at: endedAt,
      created_at: ended.startedAt,
    },
  });
  return ended;
}

function requireUnderWay(services: AppServices, sessionId: string) {
  const call = requireLiveCall(services, sessionId);
  if (call.status === "ongoing") return call;
  throw new PlatformError("ERR_CALL_NOT_STARTED", `The call ${sessionId} has not started yet.`);
}

function spanOf(services: Services, call: PhoneCall) {
  ensure(call.startedAt !== undefined, "ERR_CALL_NOT_STARTED", `The call ${call.sessionId} never started.`);
  return { startTime: call.startedAt, endTime: call.endedAt ?? nowSeconds(services) };
}

function initialConfig(call: PhoneCall) {
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

function dayOf(seconds: number) {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}
