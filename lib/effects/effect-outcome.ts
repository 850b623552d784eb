import type { Log } from "../base/log.ts";

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
