import type { Count } from "../base/count-metric.ts";
import type { Log, LogFields } from "../base/log.ts";

/** Why a trigger leaves an event alone that it would handle otherwise. A metric counts by it, so there are few. */
export type PassReason =
  /** This system wrote the message, or the platform itself. */
  | "own-message"
  /** The conversation got too many automatic answers lately. */
  | "answer-limit"
  /** It happened too long ago. */
  | "too-old"
  /** Of a category that is not handled: no message of a person. */
  | "category"
  /** The moderation blocked it, or has not decided yet. */
  | "moderation";

/** Makes what says that a trigger passed an event over: one line of the log, and the metric `EventPassedOver`. */
export function createPassOver(
  of: {
    readonly appId: string;
    /** The trigger's name in the table of triggers. */
    readonly triggerName: string;
    /** What tells the event apart. */
    readonly fields: LogFields;
  },
  { log, count }: { readonly log: Log; readonly count: Count },
): (reason: PassReason) => void {
  const { appId, triggerName, fields } = of;
  return (reason) => {
    log.info("passed an event over", { ...fields, appId, passedOverBy: triggerName, reason });
    count("EventPassedOver", { appId, trigger: triggerName, reason });
  };
}
