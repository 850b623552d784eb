import type { Log } from "../base/log.ts";
import type { CallOperation } from "../chat/operation.ts";
import type { LoopGuard } from "../events/marks/loop-guard.ts";
import type { AnswerBook } from "./answer-book.ts";
import type { EffectName, KeptEffect } from "./effect-errors.ts";
import type { FlowStarter } from "./flow-request.ts";
import type { Outside } from "./http/outside.ts";

/**
 * A change outside the process, to be made once: a value returned by functions such as `sendText` and
 * performed by
 * `effects.do`. Creating it does nothing.
 */
export interface Effect<T> {
  /** What it does, in the platform's words, such as `send-message`. A metric dimension, so there are few. */
  readonly kind: string;
  /** The result that a handler in shadow continues with. Without it, the handler ends here. */
  readonly inShadow?: T;
  /** Performed in shadow too, on separate data (as a state is). */
  readonly isKeptApart?: boolean;
  /** Returns the steps of one attempt. `ofEffect` names the effect and is equal in all attempts. */
  readonly stepsWith: (tools: EffectTools, ofEffect: string) => Steps<T> | ReadSteps<T>;
}

/** Steps whose result is stored in one form and returned in another. */
export interface ReadSteps<T> extends Steps<unknown> {
  /** Converts the stored result at each read. If it throws, the effect still counts as done. */
  readonly read: (kept: unknown, effect: KeptEffect) => T;
}

/** The steps of one effect that this process owns. */
export interface Steps<T> {
  /**
   * Runs before the ledger is asked. Returns the result if there is nothing to do; that result is not stored.
   */
  readonly ask?: () => Promise<T | undefined>;
  /** Runs what can fail before a request is sent. Returns the result if there is nothing to do. */
  readonly prepare?: (effect: EffectName) => Promise<T | undefined>;
  /**
   * Performs the effect. `isAgain`: an earlier attempt may have performed it with an unknown outcome. An
   * error with `maybeExecuted` false means that nothing was carried out.
   */
  readonly act: (isAgain: boolean) => Promise<T>;
  /** Returns the visible result of an earlier attempt; undefined if it does not exist. */
  readonly look?: (() => Promise<T | undefined>) | undefined;
  /**
   * Returns why a result means that the effect was held back, undefined if it was done. Default: never held
   * back.
   */
  readonly heldBack?: (result: unknown) => HeldBack | undefined;
}

/** What an effect can use. */
export interface EffectTools {
  readonly appId: string;
  /** Calls the platform within the attempt's time. */
  readonly call: CallOperation;
  readonly guard: LoopGuard;
  readonly answers: AnswerBook;
  /**
   * Returns a text that the team stored in the app's secret. @throws InvalidSecretError if it is not there
   */
  readonly secret: (name: string) => Promise<string>;
  readonly outside: Outside;
  /** Absent if flows cannot be started. */
  readonly flows?: FlowStarter | undefined;
  /** Absent if the effect is not for an event. */
  readonly cause?: EffectCause | undefined;
  readonly scope: EffectScope;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The fact that an effect is for. */
export interface EffectCause {
  /** Returns the fact's permanent name; reads the table if its key can recur. */
  readonly factKey: () => Promise<string>;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The app's, if the event contains it. */
  readonly region: string | undefined;
  /** The message, if the fact is that it was sent. */
  readonly messageId?: string | undefined;
}

/** The attempt at an event that effects belong to. */
export interface EffectScope {
  /** Milliseconds since 1970 after which nothing is started. */
  readonly deadlineMs: number;
  /** Throws EventEndedError if the attempt is over, by time or because it was abandoned. */
  readonly assertAlive: () => void;
  /** Aborts pending requests when the attempt is abandoned, so that a thawed process sends none. */
  readonly signal?: AbortSignal | undefined;
}

/** How an effect ended in a run; the log field `how`. */
export type EffectOutcome =
  /** Done in this run. */
  | "now"
  /** Done by an earlier run, says the ledger. */
  | "earlier"
  /** Done by an earlier run, as the platform shows. */
  | "found"
  | HeldBack;

/** Why an automatic answer is held back. */
export type HeldBack =
  /** This system or the platform wrote the message to answer. */
  | "own-message"
  /** The conversation had too many recent automatic answers. */
  | "answer-limit";

/** Logs how an effect ended; at INFO if it was held back. */
export function logEffect(
  log: Log,
  { effect, how, made }: { readonly effect: string; readonly how: EffectOutcome; readonly made?: unknown },
): void {
  if (isHeldBack(how)) log.info("held an effect back", { effect, how });
  else log.debug("an effect is done", { effect, how, made });
}

export function isHeldBack(how: unknown): how is HeldBack {
  return how === "own-message" || how === "answer-limit";
}
