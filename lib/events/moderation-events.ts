import { conversationOf } from "./conversation.ts";
import { defineEvents, firstMoment } from "./define-event.ts";
import { messageSchema } from "./message.ts";
import { anyObject, each, flag, id, listOf, number, open, optional, text, time } from "./scalars.ts";
import type { RuleMatch } from "./types/moderation-events.ts";

const ruleShape = { ...each(["id", "revisionId"], id), name: optional(text) };

const matchSchema = open({
  ...each(["condition", "filter"], anyObject),
  rule: optional(open({ ...ruleShape, action: optional(listOf(text)), blockedAt: optional(time) })),
});

const failureSchema = open({
  ...each(["category", "errorMessage", "responseBody"], text),
  ...each(["httpStatus", "timeoutMs"], number),
  failedAt: optional(time),
  responseBodyTruncated: optional(flag),
  validationErrors: optional(listOf(text)),
  context: optional(
    open({
      ...each(["engine", "setting", "providerErrorCode", "openaiRequestId"], text),
      ...each(["condition", "request"], anyObject),
      rule: optional(open(ruleShape)),
    }),
  ),
});

/**
 * @see docs/internals/platform/events.md#moderation-events, docs/internals/platform/events.md#failed-engines
 */
export const moderationEvents = {
  ...defineEvents(
    "webhook",
    ["moderation_engine_approved", "moderation_engine_blocked", "moderation_manual_approved"],
    open({
      message: messageSchema,
      moderation: optional(listOf(matchSchema)),
      reviewed: optional(flag),
    }),
    ({ message, moderation: matches = [], reviewed = false }, trigger) => ({
      head: {
        ...(trigger === "moderation_engine_blocked" && firstBlock(matches)),
        actor: trigger === "moderation_manual_approved" ? undefined : message.sender,
        conversation: conversationOf(message),
      },
      facts: {
        message,
        matches,
        ruleId: matches.find((match) => match.rule?.id)?.rule?.id ?? message.data.moderation?.rule?.id,
        reviewed,
      },
    }),
  ),

  ...defineEvents(
    "webhook",
    ["moderation_engine_failed"],
    open({
      resource: open({
        id,
        ...each(["conversationId", "sender", "receiver"], id),
        ...each(["receiverType", "category", "type"], text),
        sentAt: optional(time),
      }),
      ...each(["contentType", "outcome"], text),
      completedAt: optional(time),
      failures: optional(listOf(failureSchema)),
    }),
    ({ resource, contentType, outcome, completedAt, failures = [] }) => ({
      head: {
        ...firstMoment({ "data.completedAt": completedAt }),
        actor: resource.sender,
        conversation: conversationOf(resource),
      },
      facts: { resource, contentType, outcome, completedAt, failures },
    }),
  ),
};

/** Only a blocking rule has a time. */
function firstBlock(matches: readonly RuleMatch[]) {
  const times = matches.map(({ rule }, index) => [
    `data.moderation.${index}.rule.blockedAt`,
    rule?.blockedAt,
  ]);
  return firstMoment(Object.fromEntries(times));
}
