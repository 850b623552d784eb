import type { Log } from "../base/log.ts";

/** How an effect ended in a run. The log says it as `how`. */
export type EffectOutcome =
  /** It was done in this run. */
  | "now"
  /** The ledger says that an earlier run did it. */
  | "earlier"
  /** The platform shows that an earlier run did it. */
  | "found"
  | HeldBack;

/** Why an automatic answer is held back. */
export type HeldBack =
  /** This system or the platform wrote the message that it would answer. */
  | "own-message"
  /** The conversation got too many automatic answers lately. */
  | "answer-limit";

/** Writes how an effect ended. What was held back is written at the level INFO. */
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
