import { durationMs } from "../../base/duration.ts";
import type { PassReason } from "../../handle/pass-over.ts";
import type { ReplyRule, ReplyRules } from "./reply-rules.ts";

/** The parts of a message that can prevent an answer although a rule matches. */
export interface MessageCircumstances {
  /** Undefined if missing or unreadable. */
  readonly category?: string | undefined;
  /** Moderation's status of it, if any. */
  readonly moderation?: string | undefined;
  readonly ageMs: number;
}

/** After that, "we answer within a few minutes" is no longer useful. config/replies.yml can override it. */
const defaultMaxAge = "1h";

/** Not visible to other users, or not yet. */
const hiddenStates = ["disapproved", "blocked", "pending"];

/**
 * Returns why a message is not answered by its matching rule. Pure. Only people's visible messages are
 * answered: `pending` may still be refused (docs/internals/platform/moderation.md#status-of-a-message).
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
