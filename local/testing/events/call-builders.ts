import { current, defaultTime, media, placeOf, userOf } from "./body.ts";
import type {
  CallFacts,
  OccupantFacts,
  RecordingFacts,
  SessionEndFacts,
  SessionFacts,
  TranscriptionFacts,
} from "./call-facts.ts";

/** Builds the bodies of ringing calls. As on the platform, the sender is the actor. */
export const callBuilders = {
  /** Builds `call_initiated`. */
  callInitiated: ringing("initiated"),
  /** Builds `call_busy`. */
  callBusy: ringing("busy"),
  /** Builds `call_cancelled`. */
  callCancelled: ringing("cancelled"),
  /** Builds `call_rejected`. */
  callRejected: ringing("rejected"),
  /** Builds `call_unanswered`. */
  callUnanswered: ringing("unanswered"),
};

/** Builds the bodies of media sessions. */
export const sessionBuilders = {
  /** Builds `call_started`. */
  callStarted: media("call_started", startData),
  /** Builds `call_participant_joined`. */
  callParticipantJoined: media("call_participant_joined", joinData),
  /** Builds `call_participant_left`. */
  callParticipantLeft: media("call_participant_left", leaveData),
  /** Builds `call_ended`. */
  callEnded: media("call_ended", endData),
  /** Builds `meeting_started`. */
  meetingStarted: media("meeting_started", startData),
  /** Builds `meeting_participant_joined`. */
  meetingParticipantJoined: media("meeting_participant_joined", joinData),
  /** Builds `meeting_participant_left`. */
  meetingParticipantLeft: media("meeting_participant_left", leaveData),
  /** Builds `meeting_ended`. */
  meetingEnded: media("meeting_ended", endData),
  /** Builds `recording_generated`. */
  recordingGenerated: current("recording_generated", (facts: RecordingFacts) => {
    const { sessionId = "session-1", at = defaultTime, durationSeconds = 21.433 } = facts;
    return {
      recordingDate: dayOf(at),
      duration: durationSeconds.toFixed(6),
      startTime: String(at),
      sessionId,
      recording_url: facts.url ?? "https://media.example.org/recording.mp4",
    };
  }),
  /** Builds `transcription_generated`. */
  transcriptionGenerated: current("transcription_generated", (facts: TranscriptionFacts) => {
    const { sessionId = "session-1", tid = "transcript-1", at = defaultTime, endTime = at + 21 } = facts;
    return {
      sessionId,
      tid,
      transcriptDate: dayOf(at),
      transcript_url: facts.url ?? "https://media.example.org/transcript.json",
      startTime: at,
      endTime,
    };
  }),
};

function dayOf(seconds: number) {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function ringing(action: string) {
  return current(`call_${action}`, (facts: CallFacts) => ({ call: callMessage(action, facts) }));
}

function callMessage(action: string, facts: CallFacts) {
  const { id = "2001", sessionId = "session-1", caller = "ann", callee = "bela", guid } = facts;
  const { type = "audio", at = defaultTime, form = "live" } = facts;
  const isByCallee = guid === undefined && (action === "rejected" || action === "busy");
  const [sender, other] = isByCallee ? [callee, caller] : [caller, callee];
  const place = placeOf(sender, other, guid);
  const call = {
    sessionid: sessionId,
    status: action,
    type,
    sender: caller,
    ...placeOf(caller, callee, guid),
    initiatedAt: defaultTime,
  };
  const entities = {
    by: { entity: userOf(sender), entityType: "user" },
    for:
      guid === undefined
        ? { entity: userOf(other), entityType: "user" }
        : { entity: { guid }, entityType: "group" },
    on: { entity: call, entityType: "call" },
  };
  const data = form === "live" ? { action, entities } : { action };
  return { id, sender, ...place, category: "call", type, data, sentAt: at, updatedAt: at };
}

function startData({ sessionId = "session-1", at = defaultTime }: SessionFacts) {
  return { created_at: at, sessionId };
}

function joinData(facts: OccupantFacts) {
  const { left_at: _, ...occupant } = occupantBody(facts);
  const muted = { is_video_muted: "false", is_audio_muted: "false" };
  const initial_config = { ...muted, mode: "DEFAULT", platform: "web" };
  return { occupant, initial_config, sessionId: facts.sessionId ?? "session-1" };
}

function leaveData(facts: OccupantFacts) {
  return { occupant: occupantBody(facts), sessionId: facts.sessionId ?? "session-1" };
}

function endData(facts: SessionEndFacts) {
  const { createdAt = defaultTime, destroyedAt = defaultTime + 60 } = facts;
  const { sessionId = "session-1", occupants = [{ uid: "ann" }, { uid: "bela" }] } = facts;
  const all_occupants = occupants.map(occupantBody);
  return { all_occupants, destroyed_at: destroyedAt, created_at: createdAt, sessionId };
}

function occupantBody(facts: OccupantFacts) {
  const { uid = "ann", name, joinedAt = defaultTime, leftAt = defaultTime + 60 } = facts;
  const occupant = { joined_at: joinedAt, left_at: leftAt, audio_call: "true" };
  return uid === null
    ? { ...occupant, name: name ?? "Ann" }
    : { ...occupant, ...userOf(uid), ...(name && { name }) };
}
