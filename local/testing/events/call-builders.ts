import {
  conversationOfTwo,
  currentCall,
  defaultTime,
  type EventBody,
  type EventEnvelope,
  type MediaEventBody,
  mediaCall,
  userOf,
} from "./body.ts";
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
  /** Builds the body of `call_initiated`. */
  callInitiated: (facts: CallFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("call_initiated", { call: callBody("initiated", facts) }, envelope),
  /** Builds the body of `call_busy`. */
  callBusy: (facts: CallFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("call_busy", { call: callBody("busy", facts) }, envelope),
  /** Builds the body of `call_cancelled`. */
  callCancelled: (facts: CallFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("call_cancelled", { call: callBody("cancelled", facts) }, envelope),
  /** Builds the body of `call_rejected`. */
  callRejected: (facts: CallFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("call_rejected", { call: callBody("rejected", facts) }, envelope),
  /** Builds the body of `call_unanswered`. */
  callUnanswered: (facts: CallFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("call_unanswered", { call: callBody("unanswered", facts) }, envelope),
};

/** Builds the bodies of media sessions. */
export const sessionBuilders = {
  /** Builds the body of `call_started`. */
  callStarted: (facts: SessionFacts = {}, envelope?: EventEnvelope): MediaEventBody =>
    mediaCall("call_started", startBody(facts), envelope),
  /** Builds the body of `call_participant_joined`. */
  callParticipantJoined: (facts: OccupantFacts = {}, envelope?: EventEnvelope): MediaEventBody =>
    mediaCall("call_participant_joined", joinBody(facts), envelope),
  /** Builds the body of `call_participant_left`. */
  callParticipantLeft: (facts: OccupantFacts = {}, envelope?: EventEnvelope): MediaEventBody =>
    mediaCall("call_participant_left", leaveBody(facts), envelope),
  /** Builds the body of `call_ended`. */
  callEnded: (facts: SessionEndFacts = {}, envelope?: EventEnvelope): MediaEventBody =>
    mediaCall("call_ended", endBody(facts), envelope),
  /** Builds the body of `meeting_started`. */
  meetingStarted: (facts: SessionFacts = {}, envelope?: EventEnvelope): MediaEventBody =>
    mediaCall("meeting_started", startBody(facts), envelope),
  /** Builds the body of `meeting_participant_joined`. */
  meetingParticipantJoined: (facts: OccupantFacts = {}, envelope?: EventEnvelope): MediaEventBody =>
    mediaCall("meeting_participant_joined", joinBody(facts), envelope),
  /** Builds the body of `meeting_participant_left`. */
  meetingParticipantLeft: (facts: OccupantFacts = {}, envelope?: EventEnvelope): MediaEventBody =>
    mediaCall("meeting_participant_left", leaveBody(facts), envelope),
  /** Builds the body of `meeting_ended`. */
  meetingEnded: (facts: SessionEndFacts = {}, envelope?: EventEnvelope): MediaEventBody =>
    mediaCall("meeting_ended", endBody(facts), envelope),

  /** Builds the body of `recording_generated`. */
  recordingGenerated: (facts: RecordingFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { sessionId = "session-1", at = defaultTime, durationSeconds = 21.433 } = facts;
    const data = {
      recordingDate: new Date(at * 1000).toISOString().slice(0, 10),
      duration: durationSeconds.toFixed(6),
      startTime: String(at),
      sessionId,
      recording_url: facts.url ?? "https://media.example.org/recording.mp4",
    };
    return currentCall("recording_generated", data, envelope);
  },

  /** Builds the body of `transcription_generated`. */
  transcriptionGenerated: (facts: TranscriptionFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { sessionId = "session-1", tid = "transcript-1", at = defaultTime, endTime = at + 21 } = facts;
    const data = {
      sessionId,
      tid,
      transcriptDate: new Date(at * 1000).toISOString().slice(0, 10),
      transcript_url: facts.url ?? "https://media.example.org/transcript.json",
      startTime: at,
      endTime,
    };
    return currentCall("transcription_generated", data, envelope);
  },
};

function callBody(action: string, facts: CallFacts) {
  const { id = "2001", sessionId = "session-1", caller = "ann", callee = "bela", guid } = facts;
  const { type = "audio", at = defaultTime, form = "live" } = facts;
  const isByCallee = guid === undefined && (action === "rejected" || action === "busy");
  const [sender, receiver] = isByCallee ? [callee, caller] : [caller, guid ?? callee];
  const receiverType = guid === undefined ? "user" : "group";
  const conversationId = guid === undefined ? conversationOfTwo(caller, callee) : `group_${guid}`;
  const call = {
    sessionid: sessionId,
    status: action,
    type,
    sender: caller,
    receiver: guid ?? callee,
    receiverType,
    conversationId,
    initiatedAt: defaultTime,
  };
  const entities = {
    by: { entity: userOf(sender), entityType: "user" },
    for:
      guid === undefined
        ? { entity: userOf(receiver), entityType: "user" }
        : { entity: { guid }, entityType: "group" },
    on: { entity: call, entityType: "call" },
  };
  return {
    id,
    conversationId,
    sender,
    receiverType,
    receiver,
    category: "call",
    type,
    data: form === "live" ? { action, entities } : { action },
    sentAt: at,
    updatedAt: at,
  };
}

function startBody({ sessionId = "session-1", at = defaultTime }: SessionFacts) {
  return { created_at: at, sessionId };
}

function joinBody(facts: OccupantFacts) {
  const { left_at: _, ...occupant } = occupantBody(facts);
  const initial_config = {
    is_video_muted: "false",
    is_audio_muted: "false",
    mode: "DEFAULT",
    platform: "web",
  };
  return { occupant, initial_config, sessionId: facts.sessionId ?? "session-1" };
}

function leaveBody(facts: OccupantFacts) {
  return { occupant: occupantBody(facts), sessionId: facts.sessionId ?? "session-1" };
}

function endBody(facts: SessionEndFacts) {
  const { sessionId = "session-1", createdAt = defaultTime, destroyedAt = defaultTime + 60 } = facts;
  const { occupants = [{ uid: "ann" }, { uid: "bela" }] } = facts;
  const all_occupants = occupants.map(occupantBody);
  return { all_occupants, destroyed_at: destroyedAt, created_at: createdAt, sessionId };
}

function occupantBody({
  uid = "ann",
  name,
  joinedAt = defaultTime,
  leftAt = defaultTime + 60,
}: OccupantFacts) {
  const occupant = { joined_at: joinedAt, left_at: leftAt, audio_call: "true" };
  return uid === null
    ? { ...occupant, name: name ?? "Ann" }
    : { ...occupant, ...userOf(uid), ...(name && { name }) };
}
