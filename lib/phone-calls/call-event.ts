import type { EventHead } from "../events/define-event.ts";

/** The names of the events that the platform does not send: this system derives them from those it does. */
export const derivedTriggers = ["call_missed", "call_summary"] as const;

export type DerivedTrigger = (typeof derivedTriggers)[number];

/** What this system found out from several events of the platform. */
export type DerivedEvent = CallMissed | CallSummary;

/** A phone call that rang and that nobody took. Comes once per phone call, as soon as the platform says how the ringing ended. */
export interface CallMissed {
  readonly kind: "derived";
  readonly trigger: "call_missed";
  readonly head: EventHead;
  /** The media session that was never opened; absent where the platform does not name it. */
  readonly sessionId: string | undefined;
  /** The id of the call message. */
  readonly callId: string;
  /** `cancelled`: the caller gave up. A declined call is no missed one: see `call_rejected`. */
  readonly reason: "unanswered" | "cancelled" | "busy";
  /** `audio` or `video`. */
  readonly type: string | undefined;
  /** uid */
  readonly caller: string | undefined;
  /** uid or guid, as `calleeType` says. */
  readonly callee: string | undefined;
  readonly calleeType: "user" | "group";
  readonly missedAt: Date | undefined;
}

/** A phone call or meeting that is over. Comes once per session, a while after its end: see docs/triggers.md. */
export interface CallSummary {
  readonly kind: "derived";
  readonly trigger: "call_summary";
  readonly head: EventHead;
  readonly sessionId: string;
  /** `meeting`: a session that was joined without ringing. */
  readonly sessionKind: "call" | "meeting";
  /** `audio` or `video`; known where the ringing was seen. */
  readonly type: string | undefined;
  /** uid; known where the ringing was seen. */
  readonly caller: string | undefined;
  /** uid or guid; known where the ringing was seen. */
  readonly callee: string | undefined;
  readonly participants: readonly Participant[];
  readonly startedAt: Date | undefined;
  readonly endedAt: Date | undefined;
  /** From start to end, where both are known. */
  readonly durationMs: number | undefined;
  /** False where the platform's own word of the end never came, and the last one leaving counts as the end. */
  readonly isEndReported: boolean;
}

/** One person in a session, however often they left and came back. */
export interface Participant {
  /** The documentation's samples have none; seen live they do. */
  readonly uid: string | undefined;
  readonly name: string | undefined;
  readonly joinedAt: Date | undefined;
  readonly leftAt: Date | undefined;
  /** How long they were in the session, all stays together, as far as joins and leaves were reported. */
  readonly presentMs: number | undefined;
}
