import { currentCall, defaultTime, type Envelope } from "./body.ts";
import { type MessageFacts, messageBody } from "./message-body.ts";

type DecisionFacts = MessageFacts & { ruleId?: string; ruleName?: string };
type FailureFacts = MessageFacts & {
  contentType?: string;
  outcome?: "approved" | "disapproved";
  /** `http_5xx`, `timeout` and the like. */
  failure?: string;
  /** In seconds. */
  completedAt?: number;
};

/** Builds the bodies of what the moderation decided, and what it could not. */
export const moderationBuilders = {
  moderationEngineApproved: (facts: MessageFacts = {}, envelope?: Envelope) =>
    currentCall("moderation_engine_approved", { message: moderatedBody("approved", facts) }, envelope),

  moderationEngineBlocked: (facts: DecisionFacts = {}, envelope?: Envelope) => {
    const message = moderatedBody("disapproved", facts);
    return currentCall("moderation_engine_blocked", { message, moderation: [matchBody(facts)] }, envelope);
  },

  moderationManualApproved: (facts: DecisionFacts = {}, envelope?: Envelope) => {
    const message = moderatedBody("approved", facts);
    const data = { message, moderation: [matchBody(facts)], reviewed: true };
    return currentCall("moderation_manual_approved", data, envelope);
  },

  moderationEngineFailed: (facts: FailureFacts = {}, envelope?: Envelope) => {
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

function moderatedBody(status: string, facts: DecisionFacts) {
  const message = messageBody(facts);
  const rule = status === "disapproved" ? { rule: { id: facts.ruleId ?? "no-spam" } } : {};
  return { ...message, data: { ...message.data, moderation: { status, ...rule } } };
}

function matchBody({ ruleId = "no-spam", ruleName = "No spam", sentAt = defaultTime }: DecisionFacts) {
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
