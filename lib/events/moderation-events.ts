import { conversationOf } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { messageSchema } from "./message.ts";
import { anyObject, flag, id, listOf, number, open, optional, text, time } from "./scalars.ts";
import type { RuleMatch } from "./types/moderation-events.ts";

const family = "webhook";

const matchSchema = open({
  condition: optional(anyObject),
  filter: optional(anyObject),
  rule: optional(
    open({
      id: optional(id),
      name: optional(text),
      revisionId: optional(id),
      action: optional(listOf(text)),
      blockedAt: optional(time),
    }),
  ),
});

const failureSchema = open({
  category: optional(text),
  errorMessage: optional(text),
  failedAt: optional(time),
  httpStatus: optional(number),
  responseBody: optional(text),
  responseBodyTruncated: optional(flag),
  timeoutMs: optional(number),
  validationErrors: optional(listOf(text)),
  context: optional(
    open({
      engine: optional(text),
      setting: optional(text),
      rule: optional(open({ id: optional(id), name: optional(text), revisionId: optional(id) })),
      condition: optional(anyObject),
      request: optional(anyObject),
      providerErrorCode: optional(text),
      openaiRequestId: optional(text),
    }),
  ),
});

/**
 * Reads decisions and failures of the moderation.
 * @see docs/internals/platform/events.md#moderation-events, docs/internals/platform/events.md#failed-engines
 */
export const moderationEvents = {
  moderation_engine_approved: decisionEvent("moderation_engine_approved"),
  moderation_engine_blocked: decisionEvent("moderation_engine_blocked"),
  moderation_manual_approved: decisionEvent("moderation_manual_approved"),

  moderation_engine_failed: defineEvent({
    family,
    trigger: "moderation_engine_failed",
    schema: open({
      resource: open({
        id,
        conversationId: optional(id),
        sender: optional(id),
        receiverType: optional(text),
        receiver: optional(id),
        category: optional(text),
        type: optional(text),
        sentAt: optional(time),
      }),
      contentType: optional(text),
      outcome: optional(text),
      completedAt: optional(time),
      failures: optional(listOf(failureSchema)),
    }),
    normalise: ({ resource, contentType, outcome, completedAt, failures = [] }) => ({
      head: {
        ...firstMoment({ "data.completedAt": completedAt }),
        actor: resource.sender,
        conversation: conversationOf(resource),
      },
      facts: { resource, contentType, outcome, completedAt, failures },
    }),
  }),
};

function decisionEvent<const Trigger extends string>(trigger: Trigger) {
  return defineEvent({
    family,
    trigger,
    schema: open({
      message: messageSchema,
      moderation: optional(listOf(matchSchema)),
      reviewed: optional(flag),
    }),
    normalise: ({ message, moderation = [], reviewed = false }) => ({
      head: {
        ...(trigger === "moderation_engine_blocked" && firstBlock(moderation)),
        actor: trigger === "moderation_manual_approved" ? undefined : message.sender,
        conversation: conversationOf(message),
      },
      facts: {
        message,
        matches: moderation,
        ruleId: moderation.find((match) => match.rule?.id)?.rule?.id ?? message.data.moderation?.rule?.id,
        reviewed,
      },
    }),
  });
}

/** Only a blocking rule has a time; the time of an approval is unknown. */
function firstBlock(matches: readonly RuleMatch[]) {
  const times = matches.map(({ rule }, index) => [
    `data.moderation.${index}.rule.blockedAt`,
    rule?.blockedAt,
  ]);
  return firstMoment(Object.fromEntries(times));
}
