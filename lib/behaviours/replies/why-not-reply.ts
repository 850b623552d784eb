import { durationMs } from "../../base/duration.ts";
import { isOfAgent } from "../../events/conditions/where.ts";
import type { PassReason } from "../../handle/pass-over.ts";
import type { ReplyRule, ReplyRules } from "./reply-rules.ts";

export interface MessageCircumstances {
  readonly category?: string | undefined;
  /** The sender's. */
  readonly role?: string | undefined;
  readonly moderation?: string | undefined;
  readonly ageMs: number;
}

/** Later, "we answer within a few minutes" is no longer useful. */
const defaultMaxAge = "1h";

/** Not, or not yet, visible to other users. */
const hiddenStates = ["disapproved", "blocked", "pending"];

/**
 * Pure. Answers only people's visible messages, and no AI agent: `pending` may still be refused
 * (docs/internals/platform/moderation.md#status-of-a-message).
 */
export function whyNotReply(
  { category, role, moderation = "", ageMs }: MessageCircumstances,
  rule: Pick<ReplyRule, "maxAge">,
  { categories = ["message"], maxAge = defaultMaxAge }: Pick<ReplyRules, "categories" | "maxAge">,
): PassReason | undefined {
  if (isOfAgent({ category, role })) return "category";
  if (!categories.some((answered) => answered === category)) return "category";
  if (hiddenStates.includes(moderation)) return "moderation";
  return ageMs > durationMs(rule.maxAge ?? maxAge) ? "too-old" : undefined;
}
