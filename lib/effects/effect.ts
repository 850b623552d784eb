import type { CallOperation } from "../chat/operation.ts";
import type { LoopGuard } from "../events/marks/loop-guard.ts";
import type { AnswerBook } from "./answer-book.ts";
import type { EffectName, KeptEffect } from "./effect-errors.ts";
import type { HeldBack } from "./effect-outcome.ts";
import type { FlowStarter } from "./flow-request.ts";
import type { Outside } from "./http/outside.ts";

/**
 * Something to do to the world, once: a value that says what, made by a function such as `sendText`, and done by
 * `effects.do`. It may be made and thrown away; nothing happens before it is done.
 */
export interface Effect<T> {
  /** What it does, in the platform's words, such as `send-message`. A metric counts by it, so there are few. */
  readonly kind: string;
  /** What a handler goes on with that only shows what it would do. Without it such a handler ends here. */
  readonly inShadow?: T;
  /** It is done in shadow, too, because what it changes is kept apart then, as a state is. */
  readonly isKeptApart?: boolean;
  /** Gives the steps, for one attempt. `ofEffect` names the effect, and is equal in each attempt at it. */
  readonly stepsWith: (tools: EffectTools, ofEffect: string) => Steps<T> | ReadSteps<T>;
}

/** Steps whose result is kept in one form, and given in another. */
export interface ReadSteps<T> extends Steps<unknown> {
  /** Reads what was kept, each time that it is asked for. An error changes nothing: the effect was done. */
  readonly read: (kept: unknown, effect: KeptEffect) => T;
}

/** The steps of one effect that is in our hands. */
export interface Steps<T> {
  /** Asked before the ledger is: gives the result where nothing is to be done. What it gives is not kept. */
  readonly ask?: () => Promise<T | undefined>;
  /** What can fail before anything leaves; gives the result where nothing is to be done. */
  readonly prepare?: (effect: EffectName) => Promise<T | undefined>;
  /**
   * Does it. `isAgain`: an earlier attempt may have done it, too, and nothing more is known of that. An error that says that
   * nothing was carried out (`maybeExecuted` is false) is taken at its word.
   */
  readonly act: (isAgain: boolean) => Promise<T>;
  /** Gives the result of an earlier attempt that can be seen; undefined where nothing can. */
  readonly look?: (() => Promise<T | undefined>) | undefined;
  /** Returns why a result says that the effect was held back, undefined if it was done. Default: nothing is held back. */
  readonly heldBack?: (result: unknown) => HeldBack | undefined;
}

/** What an effect has at hand. */
export interface EffectTools {
  readonly appId: string;
  /** Calls the platform, within the attempt's time. */
  readonly call: CallOperation;
  readonly guard: LoopGuard;
  readonly answers: AnswerBook;
  /** Gives a text that the team has put into the app's own secret. @throws InvalidSecretError where it has none */
  readonly secret: (name: string) => Promise<string>;
  readonly outside: Outside;
  /** Absent where flows cannot be started. */
  readonly flows?: FlowStarter | undefined;
  /** What the effect is done for; absent where it is no event. */
  readonly cause?: EffectCause | undefined;
  readonly scope: EffectScope;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The fact that an effect is done for. */
export interface EffectCause {
  /** Names the fact for good; asks the table where its key can recur. */
  readonly factKey: () => Promise<string>;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The app's, where the event says it. */
  readonly region: string | undefined;
  /** The message, where the fact is that it was sent. */
  readonly messageId?: string | undefined;
}

/** The attempt at an event that effects belong to. */
export interface EffectScope {
  /** Milliseconds since 1970 after which nothing is started. */
  readonly deadlineMs: number;
  /** Throws EventEndedError when the attempt is over, by time or because it was given up. */
  readonly assertAlive: () => void;
  /** Ends requests under way when the attempt is given up, so that none leaves a thawed process. */
  readonly signal?: AbortSignal | undefined;
}
