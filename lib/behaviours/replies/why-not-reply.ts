import { durationMs } from "../../base/duration.ts";
import type { PassReason } from "../../handle/pass-over.ts";
import type { ReplyRule, ReplyRules } from "./reply-rules.ts";

/** What keeps a message from being answered although a rule fits it. */
export interface MessageCircumstances {
  /** Undefined where the delivery did not say it in a form that can be read. */
  readonly category?: string | undefined;
  /** What the moderation says of it, if it says something. */
  readonly moderation?: string | undefined;
  readonly ageMs: number;
}

/** Nobody waits for "we answer within a few minutes" longer than that, unless config/replies.yml says so. */
const defaultMaxAge = "1h";

/** What others cannot see, or not yet. */
const hiddenStates = ["disapproved", "blocked", "pending"];

/**
 * Tells why a message is not answered by the rule that fits it. Pure. Only what people write is answered, and only what
 * others can see: `pending` may still be refused (docs/platform/moderation.md#status-of-a-message).
 */
export function whyNotReply(
  { category, moderation = "", ageMs }: MessageCircumstances,
  rule: Pick<ReplyRule, "maxAge">,
  { categories = ["message"], maxAge = defaultMaxAge }: Pick<ReplyRules, "categories" | "maxAge">,
): PassReason | undefined {
  if (!categories.some((answered) => answered === category)) return "category";
  if (hiddenStates.includes(moderation)) return "moderation";
  return ageMs > durationMs(rule.maxAge ?? maxAge) ? "too-old" : undefined;
}
