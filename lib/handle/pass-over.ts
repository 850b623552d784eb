import type { Count } from "../base/count-metric.ts";
import type { Log, LogFields } from "../base/log.ts";
import { outcomeFields } from "../effects/outcomes.ts";

/** Why a trigger skips an event. It is a metric's dimension, so there are few. */
export type PassReason =
  /** This system or the platform wrote the message. */
  | "own-message"
  /** The conversation had too many recent automatic answers. */
  | "answer-limit"
  /** One user blocked the other. */
  | "blocked"
  /** It happened too long ago. */
  | "too-old"
  /** The message is not a person's. */
  | "category"
  /** Moderation blocked the message. */
  | "moderation";

export function passOver(
  fields: LogFields & { readonly appId: string },
  triggerName: string,
  reason: PassReason,
  { log, count }: { readonly log: Log; readonly count: Count },
): void {
  log.info("passed an event over", {
    ...fields,
    passedOverBy: triggerName,
    reason,
    ...outcomeFields(reason),
  });
  count("EventPassedOver", { appId: fields.appId, trigger: triggerName, reason });
}
