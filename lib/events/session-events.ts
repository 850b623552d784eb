import type * as z from "zod/mini";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { flag, id, listOf, number, open, optional, shortText, text, time } from "./scalars.ts";
import type { Occupant } from "./types/session-events.ts";

const family = "webhook";
const occupantSchema = open({
  uid: optional(id),
  name: optional(shortText),
  joined_at: optional(time),
  left_at: optional(time),
  audio_call: optional(flag),
});

/**
 * Reads media sessions: of phone calls that rang (`call_*`), of sessions without ringing (`meeting_*`), their
 * recordings and transcripts.
 * @see docs/internals/platform/events.md#call-sessions
 */
export const sessionEvents = {
  call_started: startedEvent("call_started"),
  meeting_started: startedEvent("meeting_started"),
  call_participant_joined: participantEvent("call_participant_joined"),
  meeting_participant_joined: participantEvent("meeting_participant_joined"),
  call_participant_left: participantEvent("call_participant_left"),
  meeting_participant_left: participantEvent("meeting_participant_left"),
  call_ended: endedEvent("call_ended"),
  meeting_ended: endedEvent("meeting_ended"),

  recording_generated: defineEvent({
    family,
    trigger: "recording_generated",
    schema: open({
      sessionId: id,
      recording_url: optional(text),
      /** Both are text: seconds, the duration with six decimals. */
      startTime: optional(time),
      duration: optional(number),
      recordingDate: optional(text),
    }),
    normalise: ({ sessionId, recording_url, startTime, duration }) => ({
      // The session's start and end are known; the creation time of the file is not.
      head: {},
      facts: {
        sessionId,
        recordingUrl: recording_url,
        startedAt: startTime,
        durationMs: duration === undefined ? undefined : duration * 1000,
      },
    }),
  }),

  transcription_generated: defineEvent({
    family,
    trigger: "transcription_generated",
    schema: open({
      sessionId: id,
      tid: optional(id),
      transcript_url: optional(text),
      startTime: optional(time),
      endTime: optional(time),
    }),
    normalise: ({ sessionId, tid, transcript_url, startTime, endTime }) => ({
      head: {},
      facts: {
        sessionId,
        transcriptId: tid,
        transcriptUrl: transcript_url,
        startedAt: startTime,
        endedAt: endTime,
      },
    }),
  }),
};

function startedEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: open({ sessionId: id, created_at: optional(time) }),
    normalise: ({ sessionId, created_at }) => ({
      head: firstMoment({ "data.created_at": created_at }),
      facts: { sessionId, startedAt: created_at },
    }),
  });
}

function participantEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: open({ sessionId: id, occupant: occupantSchema }),
    normalise: ({ sessionId, occupant }) => {
      const joined = { "data.occupant.joined_at": occupant.joined_at };
      const left = { "data.occupant.left_at": occupant.left_at };
      const moment = firstMoment(trigger.endsWith("_left") ? left : joined);
      return {
        head: { ...moment, actor: occupant.uid },
        facts: { sessionId, occupant: toOccupant(occupant) },
      };
    },
  });
}

function endedEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: open({
      sessionId: id,
      all_occupants: optional(listOf(occupantSchema)),
      created_at: optional(time),
      destroyed_at: optional(time),
    }),
    normalise: ({ sessionId, all_occupants = [], created_at, destroyed_at }) => ({
      head: firstMoment({ "data.destroyed_at": destroyed_at }),
      facts: {
        sessionId,
        occupants: all_occupants.map(toOccupant),
        startedAt: created_at,
        endedAt: destroyed_at,
        durationMs: created_at && destroyed_at && destroyed_at.getTime() - created_at.getTime(),
      },
    }),
  });
}

function toOccupant(occupant: z.output<typeof occupantSchema>): Occupant {
  return {
    uid: occupant.uid,
    name: occupant.name,
    joinedAt: occupant.joined_at,
    leftAt: occupant.left_at,
    isAudioCall: occupant.audio_call,
  };
}
