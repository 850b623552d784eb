import { current, defaultTime } from "./body.ts";
import { messageBody } from "./message-body.ts";
import type { MessageFacts, ModerationDecisionFacts, ModerationFailureFacts } from "./message-facts.ts";

/** Builds the bodies of moderation decisions and failures. */
export const moderationBuilders = {
  /** Builds `moderation_engine_approved`. */
  moderationEngineApproved: current("moderation_engine_approved", (facts: MessageFacts) => ({
    message: moderatedBody("approved", facts),
  })),
  /** Builds `moderation_engine_blocked`. */
  moderationEngineBlocked: current("moderation_engine_blocked", (facts: ModerationDecisionFacts) => ({
    message: moderatedBody("disapproved", facts),
    moderation: [matchBody(facts)],
  })),
  /** Builds `moderation_manual_approved`. */
  moderationManualApproved: current("moderation_manual_approved", (facts: ModerationDecisionFacts) => ({
    message: moderatedBody("approved", facts),
    moderation: [matchBody(facts)],
    reviewed: true,
  })),
  /** Builds `moderation_engine_failed`. */
  moderationEngineFailed: current("moderation_engine_failed", (facts: ModerationFailureFacts) => {
    const { contentType = "text", outcome = "approved", failure = "http_5xx" } = facts;
    const { completedAt = defaultTime + 2 } = facts;
    const { data: _, updatedAt: __, ...resource } = messageBody(facts);
    const failed = {
      category: failure,
      errorMessage: "Your moderation endpoint gave no usable answer.",
      failedAt: completedAt,
      responseBodyTruncated: false,
      context: {
        engine: "custom_api",
        setting: "approve-message",
        rule: { id: "custom-check", name: "Custom check", revisionId: "app-1_custom-check_1" },
      },
    };
    return { resource, contentType, outcome, completedAt, failures: [failed] };
  }),
};

function moderatedBody(status: string, facts: ModerationDecisionFacts) {
  const message = messageBody(facts);
  const rule = status === "disapproved" && { rule: { id: facts.ruleId ?? "no-spam" } };
  return { ...message, data: { ...message.data, moderation: { status, ...rule } } };
}

function matchBody(facts: ModerationDecisionFacts) {
  const { ruleId: id = "no-spam", ruleName: name = "No spam", sentAt: blockedAt = defaultTime } = facts;
  return {
    condition: { entity: "message", operand: "text", category: "custom-list", operator: "contains" },
    rule: { id, name, revisionId: `app-1_${id}_1`, action: ["blockMessage"], blockedAt },
  };
}
