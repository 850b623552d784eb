import { currentCall, defaultTime, type EventBody, type EventEnvelope } from "./body.ts";
import { messageBody } from "./message-body.ts";
import type { MessageFacts, ModerationDecisionFacts, ModerationFailureFacts } from "./message-facts.ts";

/** Builds the bodies of moderation decisions and failures. */
export const moderationBuilders = {
  /** Builds the body of `moderation_engine_approved`. */
  moderationEngineApproved: (facts: MessageFacts = {}, envelope?: EventEnvelope): EventBody =>
    currentCall("moderation_engine_approved", { message: moderatedBody("approved", facts) }, envelope),

  /** Builds the body of `moderation_engine_blocked`. */
  moderationEngineBlocked: (facts: ModerationDecisionFacts = {}, envelope?: EventEnvelope): EventBody => {
    const message = moderatedBody("disapproved", facts);
    return currentCall("moderation_engine_blocked", { message, moderation: [matchBody(facts)] }, envelope);
  },

  /** Builds the body of `moderation_manual_approved`. */
  moderationManualApproved: (facts: ModerationDecisionFacts = {}, envelope?: EventEnvelope): EventBody => {
    const message = moderatedBody("approved", facts);
    const data = { message, moderation: [matchBody(facts)], reviewed: true };
    return currentCall("moderation_manual_approved", data, envelope);
  },

  /** Builds the body of `moderation_engine_failed`. */
  moderationEngineFailed: (facts: ModerationFailureFacts = {}, envelope?: EventEnvelope): EventBody => {
    const { contentType = "text", outcome = "approved", failure = "http_5xx" } = facts;
    const { completedAt = defaultTime + 2 } = facts;
    const { data: _, updatedAt: __, ...resource } = messageBody(facts);
    const failures = [
      {
        category: failure,
        errorMessage: "Your moderation endpoint gave no usable answer.",
        failedAt: completedAt,
        responseBodyTruncated: false,
        context: {
          engine: "custom_api",
          setting: "approve-message",
          rule: { id: "custom-check", name: "Custom check", revisionId: "app-1_custom-check_1" },
        },
      },
    ];
    const data = { resource, contentType, outcome, completedAt, failures };
    return currentCall("moderation_engine_failed", data, envelope);
  },
};

function moderatedBody(status: string, facts: ModerationDecisionFacts) {
  const message = messageBody(facts);
  const rule = status === "disapproved" ? { rule: { id: facts.ruleId ?? "no-spam" } } : {};
  return { ...message, data: { ...message.data, moderation: { status, ...rule } } };
}

function matchBody({
  ruleId = "no-spam",
  ruleName = "No spam",
  sentAt = defaultTime,
}: ModerationDecisionFacts) {
  return {
    condition: { entity: "message", operand: "text", category: "custom-list", operator: "contains" },
    rule: {
      id: ruleId,
      name: ruleName,
      revisionId: `app-1_${ruleId}_1`,
      action: ["blockMessage"],
      blockedAt: sentAt,
    },
  };
}
