import type { EventHead } from "./types/event-head.ts";

/** The events that the platform does not send, and this system derives. */
export const derivedTriggers = ["call_missed", "call_summary"] as const;

export type DerivedTrigger = (typeof derivedTriggers)[number];

/** An event that this system derives from several events of the platform. */
export type DerivedEvent = CallMissed | CallSummary;

/**
 * A phone call that rang and was not answered, derived from `call_unanswered`, `call_cancelled` and
 * `call_busy`. Sent once per phone call, as soon as the platform reports how the ringing ended.
 * @see docs/internals/platform/events.md#call-signalling
 */
export interface CallMissed {
  /** Distinguishes it from events that the platform sends. */
  readonly kind: "derived";
  /** This system's name for the event. */
  readonly trigger: "call_missed";
  /** Key, app, moment, actor and conversation: the same for every event. */
  readonly head: EventHead;
  /** The media session that was never opened; absent if the platform does not name it. */
  readonly sessionId: string | undefined;
  /** The id of the call message. */
  readonly callId: string;
  /** `cancelled`: the caller gave up. A declined call is not a missed one: see `call_rejected`. */
  readonly reason: "unanswered" | "cancelled" | "busy";
  /** `audio` or `video`. */
  readonly type: string | undefined;
  /** The uid of the user who placed the phone call. */
  readonly caller: string | undefined;
  /** The uid of the user, or the guid of the group, that was called. */
  readonly callee: string | undefined;
  /** What `callee` names. */
  readonly calleeType: "user" | "group";
  /** When the ringing ended. */
  readonly missedAt: Date | undefined;
}

/**
 * A phone call or meeting that is over: participants, times and duration. Sent once per session, 90 seconds
 * after its end: see docs/triggers.md.
 * @see docs/internals/platform/events.md#call-sessions
 */
export interface CallSummary {
  /** Distinguishes it from events that the platform sends. */
  readonly kind: "derived";
  /** This system's name for the event. */
  readonly trigger: "call_summary";
  /** Key, app, moment, actor and conversation: the same for every event. */
  readonly head: EventHead;
  /** The id of the media session. */
  readonly sessionId: string;
  /** `meeting`: a session that was joined without ringing. */
  readonly sessionKind: "call" | "meeting";
  /** `audio` or `video`; known if the ringing was reported. */
  readonly type: string | undefined;
  /** The uid of the user who placed the phone call; known if the ringing was reported. */
  readonly caller: string | undefined;
  /** The uid of the user, or the guid of the group, that was called; known if the ringing was reported. */
  readonly callee: string | undefined;
  /** The participants, each once. */
  readonly participants: readonly Participant[];
  /** When the session opened. */
  readonly startedAt: Date | undefined;
  /** When it was over. */
  readonly endedAt: Date | undefined;
  /** From start to end in milliseconds, if both are known. */
  readonly durationMs: number | undefined;
  /**
   * False if the platform never reported the end, and the departure of the last participant counts as the
   * end.
   */
  readonly isEndReported: boolean;
}

/** One person in a session, however often they left and returned. */
export interface Participant {
  /** Missing in the documentation's samples, present in live events. */
  readonly uid: string | undefined;
  /** The name that others see. */
  readonly name: string | undefined;
  /** When they first came. */
  readonly joinedAt: Date | undefined;
  /** When they last left. */
  readonly leftAt: Date | undefined;
  /** Total time in the session in milliseconds, as far as joins and leaves were reported. */
  readonly presentMs: number | undefined;
}
