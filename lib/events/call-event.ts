import type { EventHead } from "./types/known-event.ts";

export const derivedTriggers = ["call_missed", "call_summary"] as const;

export type DerivedTrigger = (typeof derivedTriggers)[number];

/** Derived from several events of the platform. */
export type DerivedEvent = CallMissed | CallSummary;

/**
 * A phone call that rang and was not answered, derived from `call_unanswered`, `call_cancelled` and
 * `call_busy`. Sent once per call, as soon as the platform reports how the ringing ended.
 * @see docs/internals/platform/events.md#call-signalling
 */
export interface CallMissed {
  /** Unlike the platform's events. */
  readonly kind: "derived";
  /** This system's name for the event. */
  readonly trigger: "call_missed";
  /** What every event has. */
  readonly head: EventHead;
  /** Media session that was never opened; absent if the platform does not name it. */
  readonly sessionId: string | undefined;
  /** Call message's id. */
  readonly callId: string;
  /** `cancelled`: the caller gave up. For a declined call, see `call_rejected`. */
  readonly reason: "unanswered" | "cancelled" | "busy";
  /** `audio` or `video`. */
  readonly type: string | undefined;
  /** uid of the caller. */
  readonly caller: string | undefined;
  /** uid, or guid of the group, that was called. */
  readonly callee: string | undefined;
  /** What `callee` names. */
  readonly calleeType: "user" | "group";
  /** When the ringing ended. */
  readonly missedAt: Date | undefined;
}

/**
 * A phone call or meeting that is over. Sent once per session, 90 seconds after its end: see
 * docs/triggers.md.
 * @see docs/internals/platform/events.md#call-sessions
 */
export interface CallSummary {
  /** Unlike the platform's events. */
  readonly kind: "derived";
  /** This system's name for the event. */
  readonly trigger: "call_summary";
  /** What every event has. */
  readonly head: EventHead;
  /** Id of the media session. */
  readonly sessionId: string;
  /** `meeting`: a session that was joined without ringing. */
  readonly sessionKind: "call" | "meeting";
  /** `audio` or `video`, if the ringing was reported. */
  readonly type: string | undefined;
  /** uid of the caller, if the ringing was reported. */
  readonly caller: string | undefined;
  /** uid, or guid of the group, that was called, if the ringing was reported. */
  readonly callee: string | undefined;
  /** Each participant once. */
  readonly participants: readonly Participant[];
  /** When the session opened. */
  readonly startedAt: Date | undefined;
  /** When it was over. */
  readonly endedAt: Date | undefined;
  /** Milliseconds, if both are known. */
  readonly durationMs: number | undefined;
  /** False: the departure of the last participant counts as the end. */
  readonly isEndReported: boolean;
}

/** One person in a session, across all visits. */
export interface Participant {
  /** Missing in the documentation's samples, present live. */
  readonly uid: string | undefined;
  /** Name that others see. */
  readonly name: string | undefined;
  /** First arrival. */
  readonly joinedAt: Date | undefined;
  /** Last departure. */
  readonly leftAt: Date | undefined;
  /** Total milliseconds, as far as joins and leaves were reported. */
  readonly presentMs: number | undefined;
}
