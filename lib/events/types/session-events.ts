import type { KnownEvent } from "./known-event.ts";

/**
 * The session of a call opened.
 * @see docs/platform/events.md#call-sessions
 */
export interface CallStartedEvent extends KnownEvent<"webhook", "call_started">, SessionStart {}

/**
 * Somebody came into a call.
 * @see docs/platform/events.md#call-sessions
 */
export interface CallParticipantJoinedEvent
  extends KnownEvent<"webhook", "call_participant_joined">,
    SessionVisit {}

/**
 * Somebody left a call.
 * @see docs/platform/events.md#call-sessions
 */
export interface CallParticipantLeftEvent
  extends KnownEvent<"webhook", "call_participant_left">,
    SessionVisit {}

/**
 * The session of a call is over.
 * @see docs/platform/events.md#call-sessions
 */
export interface CallEndedEvent extends KnownEvent<"webhook", "call_ended">, SessionEnd {}

/**
 * A session without ringing opened.
 * @see docs/platform/events.md#call-sessions
 */
export interface MeetingStartedEvent extends KnownEvent<"webhook", "meeting_started">, SessionStart {}

/**
 * Somebody came into a meeting.
 * @see docs/platform/events.md#call-sessions
 */
export interface MeetingParticipantJoinedEvent
  extends KnownEvent<"webhook", "meeting_participant_joined">,
    SessionVisit {}

/**
 * Somebody left a meeting.
 * @see docs/platform/events.md#call-sessions
 */
export interface MeetingParticipantLeftEvent
  extends KnownEvent<"webhook", "meeting_participant_left">,
    SessionVisit {}

/**
 * A meeting is over.
 * @see docs/platform/events.md#call-sessions
 */
export interface MeetingEndedEvent extends KnownEvent<"webhook", "meeting_ended">, SessionEnd {}

/**
 * A recording can be fetched. When its file was made, nobody says.
 * @see docs/platform/events.md#recordings-and-transcripts
 */
export interface RecordingGeneratedEvent extends KnownEvent<"webhook", "recording_generated"> {
  /** The id of the session that was recorded. */
  readonly sessionId: string;
  /** Where the recording is. */
  readonly recordingUrl: string | undefined;
  /** When the recording began. */
  readonly startedAt: Date | undefined;
  /** How long it is, in milliseconds. */
  readonly durationMs: number | undefined;
}

/**
 * A transcript can be fetched.
 * @see docs/platform/events.md#recordings-and-transcripts
 */
export interface TranscriptionGeneratedEvent extends KnownEvent<"webhook", "transcription_generated"> {
  /** The id of the session that was written down. */
  readonly sessionId: string;
  /** The transcript's own id. */
  readonly transcriptId: string | undefined;
  /** Where the transcript is. */
  readonly transcriptUrl: string | undefined;
  /** When what it holds began. */
  readonly startedAt: Date | undefined;
  /** When what it holds ended. */
  readonly endedAt: Date | undefined;
}

/** A media session that opened. */
export interface SessionStart {
  /** Of a call, the one that its ringing named; of a meeting, the customer's own. */
  readonly sessionId: string;
  /** When it opened. */
  readonly startedAt: Date | undefined;
}

/** Somebody who came into a media session or left it. */
export interface SessionVisit {
  /** Of a call, the one that its ringing named; of a meeting, the customer's own. */
  readonly sessionId: string;
  /** The person. */
  readonly occupant: Occupant;
}

/** A media session that is over. */
export interface SessionEnd {
  /** Of a call, the one that its ringing named; of a meeting, the customer's own. */
  readonly sessionId: string;
  /** Everybody who was in it. */
  readonly occupants: readonly Occupant[];
  /** When it opened. */
  readonly startedAt: Date | undefined;
  /** When it was over. */
  readonly endedAt: Date | undefined;
  /** From its start to its end in milliseconds, where both are known. */
  readonly durationMs: number | undefined;
}

/** One person's presence in a media session. */
export interface Occupant {
  /** Missing in the documentation, present live. */
  readonly uid: string | undefined;
  /** The name that others see. */
  readonly name: string | undefined;
  /** When they came. */
  readonly joinedAt: Date | undefined;
  /** When they left. */
  readonly leftAt: Date | undefined;
  /** The media layer's `audio_call` (docs/platform/events.md#truth-values). */
  readonly isAudioCall: boolean | undefined;
}
