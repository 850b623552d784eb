import type { EventHead } from "./types/event-head.ts";

/** The names of the events that the platform does not send: this system derives them from those it does. */
export const derivedTriggers = ["call_missed", "call_summary"] as const;

export type DerivedTrigger = (typeof derivedTriggers)[number];

/** What this system found out from several events of the platform. */
export type DerivedEvent = CallMissed | CallSummary;

/**
 * A phone call that rang and that nobody took: made of `call_unanswered`, `call_cancelled` and `call_busy`. Comes once per phone
 * call, as soon as the platform says how the ringing ended.
 * @see docs/platform/events.md#call-signalling
 */
export interface CallMissed {
  /** Tells it from what the platform sends itself. */
  readonly kind: "derived";
  /** The name that this system gives it. */
  readonly trigger: "call_missed";
  /** Key, app, moment, actor and conversation: the same for every event. */
  readonly head: EventHead;
  /** The media session that was never opened; absent where the platform does not name it. */
  readonly sessionId: string | undefined;
  /** The id of the call message. */
  readonly callId: string;
  /** `cancelled`: the caller gave up. A declined call is no missed one: see `call_rejected`. */
  readonly reason: "unanswered" | "cancelled" | "busy";
  /** `audio` or `video`. */
  readonly type: string | undefined;
  /** The uid of who placed the phone call. */
  readonly caller: string | undefined;
  /** The uid, or the guid of a group, that was called. */
  readonly callee: string | undefined;
  /** What `callee` names. */
  readonly calleeType: "user" | "group";
  /** When the ringing ended. */
  readonly missedAt: Date | undefined;
}

/**
 * A phone call or meeting that is over: who was there, when, how long. Comes once per session, 90 seconds after its end: see
 * docs/triggers.md.
 * @see docs/platform/events.md#call-sessions
 */
export interface CallSummary {
  /** Tells it from what the platform sends itself. */
  readonly kind: "derived";
  /** The name that this system gives it. */
  readonly trigger: "call_summary";
  /** Key, app, moment, actor and conversation: the same for every event. */
  readonly head: EventHead;
  /** The id of the media session. */
  readonly sessionId: string;
  /** `meeting`: a session that was joined without ringing. */
  readonly sessionKind: "call" | "meeting";
  /** `audio` or `video`; known where the ringing was seen. */
  readonly type: string | undefined;
  /** The uid of who placed the phone call; known where the ringing was seen. */
  readonly caller: string | undefined;
  /** The uid, or the guid of a group, that was called; known where the ringing was seen. */
  readonly callee: string | undefined;
  /** Who was in it, each once. */
  readonly participants: readonly Participant[];
  /** When the session opened. */
  readonly startedAt: Date | undefined;
  /** When it was over. */
  readonly endedAt: Date | undefined;
  /** From start to end in milliseconds, where both are known. */
  readonly durationMs: number | undefined;
  /** False where the platform's own word of the end never came, and the last one leaving counts as the end. */
  readonly isEndReported: boolean;
}

/** One person in a session, however often they left and came back. */
export interface Participant {
  /** The documentation's samples have none; seen live they do. */
  readonly uid: string | undefined;
  /** The name that others see. */
  readonly name: string | undefined;
  /** When they first came. */
  readonly joinedAt: Date | undefined;
  /** When they last left. */
  readonly leftAt: Date | undefined;
  /** How long they were in the session in milliseconds, all stays together, as far as joins and leaves were reported. */
  readonly presentMs: number | undefined;
}
