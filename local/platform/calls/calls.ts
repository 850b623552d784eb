import { ensure } from "../errors/platform-error.ts";
import { type AppRequest, appFamily, replyPage } from "../http/route.ts";
import { nowSeconds } from "../services/services.ts";
import { type CallParticipant, findCall, listCalls, type PhoneCall, takesPart } from "../store/calls.ts";

export const callRoutes = appFamily({
  "list-calls"(request) {
    const calls = listCalls(request).filter(filterOf(request)).reverse();
    const at = nowSeconds(request);
    return replyPage(request.query, calls, { show: (item) => showCall(item, at) });
  },
  "retrieve-call-details"(request) {
    const found = requireCall(request);
    return { ...showCall(found, nowSeconds(request)), metaData: [], tags: found.tags };
  },
  "retrieve-call-transcriptions"(request) {
    const { transcriptions } = requireCall(request);
    return replyPage(request.query, transcriptions);
  },
});

function requireCall(request: AppRequest) {
  const sessionId = request.param("sessionId");
  const found = findCall(request, sessionId);
  ensure(
    found !== undefined && (request.actor === undefined || takesPart(found, request.actor.uid)),
    "ERR_CALL_SESSION_NOT_FOUND",
    `The call with session id ${sessionId} does not exist.`,
  );
  return found;
}

function filterOf({ query, actor }: AppRequest): (call: PhoneCall) => boolean {
  const equal = (["type", "mode", "status", "receiverType"] as const).filter(
    (field) => query.text(field) !== undefined,
  );
  const participants = query.integer("participantsCount");
  const startedAt = query.integer("startedAt");
  const endedAt = query.integer("endedAt");
  const hasRecording = query.flag("hasRecording");
  const hasTranscription = query.flag("hasTranscription");
  const uids = [query.text("uid"), actor?.uid].filter((uid) => uid !== undefined);
  return (call) =>
    equal.every((field) => call[field] === query.text(field)) &&
    (participants === undefined || call.participants.length === participants) &&
    (startedAt === undefined || (call.startedAt ?? 0) >= startedAt) &&
    (endedAt === undefined || (call.endedAt !== undefined && call.endedAt <= endedAt)) &&
    (hasRecording === undefined || call.recordings.length > 0 === hasRecording) &&
    (hasTranscription === undefined || call.transcriptions.length > 0 === hasTranscription) &&
    uids.every((uid) => takesPart(call, uid));
}

/** @param nowSeconds unix seconds @see docs/internals/platform/calls.md#states */
function showCall(call: PhoneCall, nowSeconds: number) {
  const { participants, recordings, transcriptions, tags: _tags, ...rest } = call;
  const seconds =
    call.startedAt === undefined ? 0 : Math.max(0, (call.endedAt ?? nowSeconds) - call.startedAt);
  return {
    ...rest,
    ...minutesOf(call, seconds),
    totalDuration: clockTime(seconds),
    totalDurationInMinutes: seconds / 60,
    hasRecording: recordings.length > 0,
    hasTranscription: transcriptions.length > 0,
    totalParticipants: participants.length,
    participants: participants.map((participant) => showParticipant(participant, call, nowSeconds)),
    ...(recordings.length !== 0 && { recordings }),
    ...(transcriptions.length !== 0 && { transcriptions: transcriptions.slice(-5) }),
  };
}

function showParticipant(participant: CallParticipant, call: PhoneCall, nowSeconds: number) {
  const seconds =
    participant.joinedAt === undefined
      ? 0
      : Math.max(0, (participant.leftAt ?? call.endedAt ?? nowSeconds) - participant.joinedAt);
  return {
    ...participant,
    ...minutesOf(call, seconds),
    totalDuration: seconds / 60,
    isJoined: participant.joinedAt !== undefined,
  };
}

function minutesOf({ type }: PhoneCall, seconds: number) {
  const minutes = seconds / 60;
  return {
    totalAudioMinutes: type === "audio" ? minutes : 0,
    totalVideoMinutes: type === "video" ? minutes : 0,
  };
}

function clockTime(seconds: number) {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
