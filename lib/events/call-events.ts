import type * as z from "zod/mini";
import { conversationOf } from "./conversation.ts";
import { defineEvents, firstMoment } from "./define-event.ts";
import { userSchema } from "./message.ts";
import { each, flag, id, listOf, number, open, optional, orEmpty, shortText, text, time } from "./scalars.ts";
import type { Occupant, RingingCall } from "./types/call-events.ts";

/** `sessionid` is lower case in this layer. */
const callEntity = open({
  ...each(["sessionid", "sender", "receiver"], id),
  ...each(["type", "receiverType"], text),
  initiatedAt: optional(time),
});

const callData = open({
  call: open({
    id,
    ...each(["conversationId", "sender", "receiver"], id),
    ...each(["receiverType", "type"], text),
    sentAt: optional(time),
    data: orEmpty(
      open({
        entities: orEmpty(
          open({
            by: orEmpty(open({ entity: optional(userSchema) })),
            on: orEmpty(open({ entity: orEmpty(callEntity) })),
          }),
        ),
      }),
    ),
  }),
});

/**
 * No event reports an accepted call; `call_started` shows it.
 * @see docs/internals/platform/events.md#call-signalling
 */
export const callEvents = defineEvents(
  "webhook",
  ["call_initiated", "call_busy", "call_cancelled", "call_rejected", "call_unanswered"],
  callData,
  ({ call: message }, trigger) => {
    const { by, on } = message.data.entities;
    const { entity } = on;
    const isGroup = (entity.receiverType ?? message.receiverType) === "group";
    // The sender acts: the callee, for a rejected or busy call
    // (docs/internals/platform/events.md#call-signalling).
    const isFromCallee = !isGroup && (trigger === "call_rejected" || trigger === "call_busy");
    const [caller, callee] = isFromCallee
      ? [message.receiver, message.sender]
      : [message.sender, message.receiver];
    const call: RingingCall = {
      id: message.id,
      sessionId: entity.sessionid,
      type: entity.type ?? message.type,
      caller: entity.sender ?? caller,
      callee: entity.receiver ?? callee,
      calleeType: isGroup ? "group" : "user",
      initiatedAt: entity.initiatedAt,
    };
    const head = {
      ...firstMoment({ "data.call.sentAt": message.sentAt }),
      actor: by.entity?.uid ?? message.sender,
      conversation: conversationOf(message),
    };
    return { head, facts: { call } };
  },
);

const occupantSchema = open({
  uid: optional(id),
  name: optional(shortText),
  ...each(["joined_at", "left_at"], time),
  audio_call: optional(flag),
});

/**
 * Of calls that rang (`call_*`), sessions without ringing (`meeting_*`), recordings and transcripts.
 * @see docs/internals/platform/events.md#call-sessions
 */
export const sessionEvents = {
  ...defineEvents(
    "webhook",
    ["call_started", "meeting_started"],
    open({ sessionId: id, created_at: optional(time) }),
    ({ sessionId, created_at: startedAt }) => ({
      head: firstMoment({ "data.created_at": startedAt }),
      facts: { sessionId, startedAt },
    }),
  ),

  ...defineEvents(
    "webhook",
    [
      "call_participant_joined",
      "meeting_participant_joined",
      "call_participant_left",
      "meeting_participant_left",
    ],
    open({ sessionId: id, occupant: occupantSchema }),
    ({ sessionId, occupant }, trigger) => {
      const field = trigger.endsWith("_left") ? "left_at" : "joined_at";
      const moment = firstMoment({ [`data.occupant.${field}`]: occupant[field] });
      const facts = { sessionId, occupant: toOccupant(occupant) };
      return { head: { ...moment, actor: occupant.uid }, facts };
    },
  ),

  ...defineEvents(
    "webhook",
    ["call_ended", "meeting_ended"],
    open({
      sessionId: id,
      all_occupants: optional(listOf(occupantSchema)),
      ...each(["created_at", "destroyed_at"], time),
    }),
    ({ sessionId, all_occupants = [], created_at: startedAt, destroyed_at: endedAt }) => ({
      head: firstMoment({ "data.destroyed_at": endedAt }),
      facts: {
        sessionId,
        occupants: all_occupants.map(toOccupant),
        startedAt,
        endedAt,
        durationMs: startedAt && endedAt && endedAt.getTime() - startedAt.getTime(),
      },
    }),
  ),

  // The file's creation time is unknown.
  ...defineEvents(
    "webhook",
    ["recording_generated"],
    // `startTime` and `duration` are text: seconds, the duration with six decimals.
    open({
      sessionId: id,
      ...each(["recording_url", "recordingDate"], text),
      startTime: optional(time),
      duration: optional(number),
    }),
    ({ sessionId, recording_url: recordingUrl, startTime: startedAt, duration }) => {
      const durationMs = duration === undefined ? undefined : duration * 1000;
      return { head: {}, facts: { sessionId, recordingUrl, startedAt, durationMs } };
    },
  ),

  ...defineEvents(
    "webhook",
    ["transcription_generated"],
    open({
      sessionId: id,
      tid: optional(id),
      transcript_url: optional(text),
      ...each(["startTime", "endTime"], time),
    }),
    ({ sessionId, tid, transcript_url: transcriptUrl, startTime, endTime }) => ({
      head: {},
      facts: { sessionId, transcriptId: tid, transcriptUrl, startedAt: startTime, endedAt: endTime },
    }),
  ),
};

function toOccupant({ uid, name, ...occupant }: z.output<typeof occupantSchema>): Occupant {
  const { joined_at: joinedAt, left_at: leftAt, audio_call: isAudioCall } = occupant;
  return { uid, name, joinedAt, leftAt, isAudioCall };
}
