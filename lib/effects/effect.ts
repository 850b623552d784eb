import type { Log } from "../base/log.ts";
import type { CallOperation } from "../chat/operation.ts";
import type { LoopGuard } from "../events/marks/loop-guard.ts";
import type { EffectName, KeptEffect } from "./effect-errors.ts";
import type { FlowStarter } from "./flow-request.ts";
import type { Outside } from "./http/outside.ts";
import type { RecentAnswers } from "./recent-answers.ts";

/**
 * A change outside the process that is made once. Functions such as `sendText` create it, which does nothing;
 * `effects.do` performs it.
 */
export interface Effect<T> {
  /** The platform's name, such as `send-message`. A metric's dimension, so there are few. */
  readonly kind: string;
  /** The result for a handler in shadow. Without it, the handler ends here. */
  readonly inShadow?: T;
  /** True if it is performed in shadow, too, on separate data. */
  readonly isKeptApart?: boolean;
  /** Returns the steps. `ofEffect` is equal in all attempts. */
  readonly stepsWith: (tools: EffectTools, ofEffect: string) => Steps<T> | ReadSteps<T>;
}

export interface ReadSteps<T> extends Steps<unknown> {
  /** Parses the stored result at each read. If it throws, the effect still counts as done. */
  readonly read: (kept: unknown, effect: KeptEffect) => T;
}

export interface Steps<T> {
  /** Step 1, before the ledger is read. Returns a result, not stored, if there is nothing to do. */
  readonly ask?: () => Promise<T | undefined>;
  /** Step 3, for what can fail before a request is sent. Returns the result if there is nothing to do. */
  readonly prepare?: (effect: EffectName) => Promise<T | undefined>;
  /**
   * Step 4, the change itself. `isAgain`: an earlier attempt may have made it. An error with `maybeExecuted`
   * false means that nothing was done.
   */
  readonly act: (isAgain: boolean) => Promise<T>;
  /** Step 2, if an earlier attempt may have made the change. Returns its result; undefined if not found. */
  readonly look?: (() => Promise<T | undefined>) | undefined;
  /** The rule that kept the effect from acting, if any. */
  readonly suppressedBy?: (result: unknown) => Suppression | undefined;
}

export interface EffectTools {
  readonly appId: string;
  readonly call: CallOperation;
  readonly guard: LoopGuard;
  readonly answers: RecentAnswers;
  /** Returns a value of the app's secret. @throws InvalidSecretError if it is missing */
  readonly secret: (name: string) => Promise<string>;
  readonly outside: Outside;
  readonly flows?: FlowStarter | undefined;
  readonly cause?: EffectCause | undefined;
  readonly limits: EffectLimits;
  readonly now: () => number;
}

interface EffectCause {
  /** Reads the table if the key can recur. */
  readonly occurrenceKey: () => Promise<string>;
  /** As it counts for flows. */
  readonly receivedAt: number;
  /** The time that the platform gives, at the latest the receipt. */
  readonly happenedAt: number;
  readonly region: string | undefined;
  readonly messageId?: string | undefined;
}

export interface EffectLimits {
  readonly deadlineMs: number;
  readonly assertAlive: () => void;
  readonly signal?: AbortSignal | undefined;
}

export type EffectOutcome = "now" | "earlier" | "found" | Suppression;

export type Suppression = "own-message" | "answer-limit" | "blocked";

export function logEffect(
  log: Log,
  fields: {
    readonly effect: string;
    readonly kind: string;
    readonly how: EffectOutcome;
    readonly made?: unknown;
  },
): void {
  if (isSuppressed(fields.how)) log.info("held an effect back", fields);
  else log.debug("an effect is done", fields);
}

export function isSuppressed(how: unknown): how is Suppression {
  return /^(own-message|answer-limit|blocked)$/.test(String(how));
}
