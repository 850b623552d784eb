import type * as z from "zod/mini";
import { conversationOf } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { messageSchema } from "./message.ts";
import { anyObject, flag, id, listOf, number, open, optional, text, time } from "./scalars.ts";

const family = "webhook";

const matchSchema = open({
  /** What matched; its many fields are the rule editor's. */
  condition: optional(anyObject),
  /** Present where a filter excluded the message from the rule. */
  filter: optional(anyObject),
  rule: optional(
    open({
      id: optional(id),
      name: optional(text),
      revisionId: optional(id),
      /** For example `blockMessage`. */
      action: optional(listOf(text)),
      blockedAt: optional(time),
    }),
  ),
});

const failureSchema = open({
  /** `http_4xx`, `http_5xx`, `timeout`, `connection_error`, `invalid_response` or `not_configured`. */
  category: optional(text),
  errorMessage: optional(text),
  failedAt: optional(time),
  httpStatus: optional(number),
  /** At most 2 KB and possibly cut: never parse it. */
  responseBody: optional(text),
  responseBodyTruncated: optional(flag),
  timeoutMs: optional(number),
  validationErrors: optional(listOf(text)),
  context: optional(
    open({
      /** `openai` or `custom_api`. */
      engine: optional(text),
      /** `approve-message` or `drop-message`. */
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
 * Reads what the moderation decided, and what it could not.
 * @see docs/platform/events.md#moderation-events, docs/platform/events.md#failed-engines
 */
export const moderationEvents = {
  moderation_engine_approved: decisionEvent("moderation_engine_approved"),
  /** Comes instead of `message_sent`, not besides it. */
  moderation_engine_blocked: decisionEvent("moderation_engine_blocked"),
  /** Does not name the moderator. */
  moderation_manual_approved: decisionEvent("moderation_manual_approved"),

  /** Comes in addition to approved or blocked; `resource` is the message without its content. */
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
      /** `approved` or `disapproved`: what happened to the message nevertheless. */
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
        /** The rules that matched; empty where the platform names none. */
        matches: moderation,
        /** The matching rule's id, from whichever place names it. */
        ruleId: moderation.find((match) => match.rule?.id)?.rule?.id ?? message.data.moderation?.rule?.id,
        reviewed,
      },
    }),
  });
}

/** Only a rule that blocks says when; nothing says when a message was approved. */
function firstBlock(matches: readonly z.output<typeof matchSchema>[]) {
  const times = matches.map(({ rule }, index) => [
    `data.moderation.${index}.rule.blockedAt`,
    rule?.blockedAt,
  ]);
  return firstMoment(Object.fromEntries(times));
}
