import type { KnownEvent } from "./known-event.ts";

/** A user calls. @see docs/internals/platform/events.md#call-signalling */
export interface CallInitiatedEvent extends KnownEvent<"webhook", "call_initiated"> {
  /** The phone call. */
  readonly call: RingingCall;
}

/**
 * The callee was in a call. Between two people only.
 * @see docs/internals/platform/events.md#call-signalling
 */
export interface CallBusyEvent extends KnownEvent<"webhook", "call_busy"> {
  /** The phone call. */
  readonly call: RingingCall;
}

/** The caller gave up. @see docs/internals/platform/events.md#call-signalling */
export interface CallCancelledEvent extends KnownEvent<"webhook", "call_cancelled"> {
  /** The phone call. */
  readonly call: RingingCall;
}

/** The callee declined. @see docs/internals/platform/events.md#call-signalling */
export interface CallRejectedEvent extends KnownEvent<"webhook", "call_rejected"> {
  /** The phone call. */
  readonly call: RingingCall;
}

/** It rang until the end. @see docs/internals/platform/events.md#call-signalling */
export interface CallUnansweredEvent extends KnownEvent<"webhook", "call_unanswered"> {
  /** The phone call. */
  readonly call: RingingCall;
}

/** A ringing phone call, as the chat layer reports it in addition to the media session. */
export interface RingingCall {
  /** Id of the call message. */
  readonly id: string;
  /** Media session's id; absent in some documented forms. */
  readonly sessionId: string | undefined;
  /** `audio` or `video`. */
  readonly type: string | undefined;
  /** uid of the caller, also if another user acts. */
  readonly caller: string | undefined;
  /** uid of the user, or the guid of the group, that was called. */
  readonly callee: string | undefined;
  /** What `callee` names. */
  readonly calleeType: "user" | "group";
  /** When it began to ring. */
  readonly initiatedAt: Date | undefined;
}

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
  /** Id of the session that was recorded. */
  readonly sessionId: string;
  /** URL of the recording. */
  readonly recordingUrl: string | undefined;
  /** When the recording began. */
  readonly startedAt: Date | undefined;
  /** Its duration in milliseconds. */
  readonly durationMs: number | undefined;
}

/** A transcript is available. @see docs/internals/platform/events.md#recordings-and-transcripts */
export interface TranscriptionGeneratedEvent extends KnownEvent<"webhook", "transcription_generated"> {
  /** Id of the transcribed session. */
  readonly sessionId: string;
  /** The transcript's own id. */
  readonly transcriptId: string | undefined;
  /** URL of the transcript. */
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
  /** When opened. */
  readonly startedAt: Date | undefined;
}

/** A user who joined or left a media session. */
export interface SessionVisit {
  /** A call's, as named by the ringing; a meeting's, the customer's own. */
  readonly sessionId: string;
  /** The person. */
  readonly occupant: Occupant;
}

/** A media session that is over. */
export interface SessionEnd {
  /** A call's, as named by the ringing; a meeting's, the customer's own. */
  readonly sessionId: string;
  /** All participants. */
  readonly occupants: readonly Occupant[];
  /** When opened. */
  readonly startedAt: Date | undefined;
  /** When it was over. */
  readonly endedAt: Date | undefined;
  /** From start to end in milliseconds, if both are known. */
  readonly durationMs: number | undefined;
}

/** One person's presence in a media session. */
export interface Occupant {
  /** Missing in the documentation, present live. */
  readonly uid: string | undefined;
  /** Name that others see. */
  readonly name: string | undefined;
  /** When they joined. */
  readonly joinedAt: Date | undefined;
  /** When they left. */
  readonly leftAt: Date | undefined;
  /** `audio_call` (docs/internals/platform/events.md#truth-values). */
  readonly isAudioCall: boolean | undefined;
}
