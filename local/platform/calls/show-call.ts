import type { JsonObject } from "../json.ts";
import type { CallParticipant, PhoneCall } from "../store/calls.ts";

/** Gives a call as answers show it, with its totals at a time in unix seconds. @see docs/platform/calls.md#states */
export function showCall(call: PhoneCall, nowSeconds: number): JsonObject {
  const { participants, recordings, transcriptions, tags: _tags, ...rest } = call;
  const seconds =
    call.startedAt === undefined ? 0 : Math.max(0, (call.endedAt ?? nowSeconds) - call.startedAt);
  return {
    ...rest,
    totalAudioMinutes: call.type === "audio" ? seconds / 60 : 0,
    totalVideoMinutes: call.type === "video" ? seconds / 60 : 0,
    totalDuration: clockTime(seconds),
    totalDurationInMinutes: seconds / 60,
    hasRecording: recordings.length > 0,
    hasTranscription: transcriptions.length > 0,
    totalParticipants: participants.length,
    participants: participants.map((participant) => showParticipant(participant, call, nowSeconds)),
    ...(recordings.length === 0 ? {} : { recordings }),
    // At most the 5 latest are embedded.
    ...(transcriptions.length === 0 ? {} : { transcriptions: transcriptions.slice(-5) }),
  };
}

function showParticipant(participant: CallParticipant, call: PhoneCall, nowSeconds: number): JsonObject {
  const { joinedAt, leftAt } = participant;
  const seconds = joinedAt === undefined ? 0 : Math.max(0, (leftAt ?? call.endedAt ?? nowSeconds) - joinedAt);
  return {
    ...participant,
    totalAudioMinutes: call.type === "audio" ? seconds / 60 : 0,
    totalVideoMinutes: call.type === "video" ? seconds / 60 : 0,
    totalDuration: seconds / 60,
    isJoined: joinedAt !== undefined,
  };
}

// HH:MM:SS
function clockTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
