import type { KnownEvent } from "./known-event.ts";

/** A user calls. @see docs/internals/platform/events.md#call-signalling */
export interface CallInitiatedEvent extends KnownEvent<"webhook", "call_initiated"> {
  readonly call: RingingCall;
}

/**
 * The callee was in a call. Between two people only.
 * @see docs/internals/platform/events.md#call-signalling
 */
export interface CallBusyEvent extends KnownEvent<"webhook", "call_busy"> {
  readonly call: RingingCall;
}

/** The caller gave up. @see docs/internals/platform/events.md#call-signalling */
export interface CallCancelledEvent extends KnownEvent<"webhook", "call_cancelled"> {
  readonly call: RingingCall;
}

/** The callee declined. @see docs/internals/platform/events.md#call-signalling */
export interface CallRejectedEvent extends KnownEvent<"webhook", "call_rejected"> {
  readonly call: RingingCall;
}

/** It rang until the end. @see docs/internals/platform/events.md#call-signalling */
export interface CallUnansweredEvent extends KnownEvent<"webhook", "call_unanswered"> {
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
  readonly calleeType: "user" | "group";
  /** When it began to ring. */
  readonly initiatedAt: Date | undefined;
}
