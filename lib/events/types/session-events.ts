import type { KnownEvent } from "./known-event.ts";

/** The session of a call opened. @see docs/internals/platform/events.md#call-sessions */
export interface CallStartedEvent extends KnownEvent<"webhook", "call_started">, SessionStart {}

/** A user joined a call. @see docs/internals/platform/events.md#call-sessions */
export interface CallParticipantJoinedEvent
  extends KnownEvent<"webhook", "call_participant_joined">,
    SessionVisit {}

/** A user left a call. @see docs/internals/platform/events.md#call-sessions */
export interface CallParticipantLeftEvent
  extends KnownEvent<"webhook", "call_participant_left">,
    SessionVisit {}

/** The session of a call is over. @see docs/internals/platform/events.md#call-sessions */
export interface CallEndedEvent extends KnownEvent<"webhook", "call_ended">, SessionEnd {}

/** A session without ringing opened. @see docs/internals/platform/events.md#call-sessions */
export interface MeetingStartedEvent extends KnownEvent<"webhook", "meeting_started">, SessionStart {}

/** A user joined a meeting. @see docs/internals/platform/events.md#call-sessions */
export interface MeetingParticipantJoinedEvent
  extends KnownEvent<"webhook", "meeting_participant_joined">,
    SessionVisit {}

/** A user left a meeting. @see docs/internals/platform/events.md#call-sessions */
export interface MeetingParticipantLeftEvent
  extends KnownEvent<"webhook", "meeting_participant_left">,
    SessionVisit {}

/** A meeting is over. @see docs/internals/platform/events.md#call-sessions */
export interface MeetingEndedEvent extends KnownEvent<"webhook", "meeting_ended">, SessionEnd {}

/**
 * A recording is available. Its creation time is unknown.
 * @see docs/internals/platform/events.md#recordings-and-transcripts
 */
export interface RecordingGeneratedEvent extends KnownEvent<"webhook", "recording_generated"> {
  readonly sessionId: string;
  readonly recordingUrl: string | undefined;
  readonly startedAt: Date | undefined;
  readonly durationMs: number | undefined;
}

/** A transcript is available. @see docs/internals/platform/events.md#recordings-and-transcripts */
export interface TranscriptionGeneratedEvent extends KnownEvent<"webhook", "transcription_generated"> {
  readonly sessionId: string;
  readonly transcriptId: string | undefined;
  readonly transcriptUrl: string | undefined;
  /** When the transcribed part began. */
  readonly startedAt: Date | undefined;
  /** When the transcribed part ended. */
  readonly endedAt: Date | undefined;
}

/** A media session that opened. */
export interface SessionStart {
  /** A call's, as named by the ringing; a meeting's, the customer's own. */
  readonly sessionId: string;
  readonly startedAt: Date | undefined;
}

/** A user who joined or left a media session. */
export interface SessionVisit {
  /** A call's, as named by the ringing; a meeting's, the customer's own. */
  readonly sessionId: string;
  readonly occupant: Occupant;
}

/** A media session that is over. */
export interface SessionEnd {
  /** A call's, as named by the ringing; a meeting's, the customer's own. */
  readonly sessionId: string;
  readonly occupants: readonly Occupant[];
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  /** From start to end in milliseconds, if both are known. */
  readonly durationMs: number | undefined;
}

/** One person's presence in a media session. */
export interface Occupant {
  /** Missing in the documentation, present live. */
  readonly uid: string | undefined;
  readonly name: string | undefined;
  readonly joinedAt: Date | undefined;
  readonly leftAt: Date | undefined;
  /** `audio_call` (docs/internals/platform/events.md#truth-values). */
  readonly isAudioCall: boolean | undefined;
}
