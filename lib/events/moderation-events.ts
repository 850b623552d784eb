import * as z from "zod/mini";
import { conversationOf } from "./conversation.ts";
import { defineEvent } from "./define-event.ts";
import { firstMoment } from "./first-moment.ts";
import { messageSchema } from "./message.ts";
import { anyObject, decoration, flag, id, number, open, seconds, text } from "./scalars.ts";

const family = "webhook";

const matchSchema = open({
  /** What matched; its many fields are the rule editor's. */
  condition: decoration(anyObject),
  /** Present where a filter excluded the message from the rule. */
  filter: decoration(anyObject),
  rule: z.optional(
    open({
      id: z.optional(id),
      name: decoration(text),
      revisionId: decoration(id),
      /** For example `blockMessage`. */
      action: decoration(z.array(text)),
      blockedAt: decoration(seconds),
    }),
  ),
});

const failureSchema = open({
  /** `http_4xx`, `http_5xx`, `timeout`, `connection_error`, `invalid_response` or `not_configured`. */
  category: text,
  errorMessage: decoration(text),
  failedAt: decoration(seconds),
  httpStatus: decoration(number),
  /** At most 2 KB and possibly cut: never parse it. */
  responseBody: decoration(text),
  responseBodyTruncated: decoration(flag),
  timeoutMs: decoration(number),
  validationErrors: decoration(z.array(text)),
  context: decoration(
    open({
      /** `openai` or `custom_api`. */
      engine: decoration(text),
      /** `approve-message` or `drop-message`. */
      setting: decoration(text),
      rule: decoration(open({ id: decoration(id), name: decoration(text), revisionId: decoration(id) })),
      condition: decoration(anyObject),
      request: decoration(anyObject),
      providerErrorCode: decoration(text),
      openaiRequestId: decoration(text),
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
        conversationId: z.optional(id),
        sender: z.optional(id),
        receiverType: z.optional(text),
        receiver: z.optional(id),
        category: decoration(text),
        type: decoration(text),
        sentAt: decoration(seconds),
      }),
      contentType: z.optional(text),
      /** `approved` or `disapproved`: what happened to the message nevertheless. */
      outcome: z.optional(text),
      completedAt: z.optional(seconds),
      failures: z.optional(z.array(failureSchema)),
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
      moderation: z.optional(z.array(matchSchema)),
      reviewed: decoration(flag),
    }),
    normalise: ({ message, moderation = [], reviewed = false }) => ({
      head: {
        ...firstMoment({
          "data.message.updatedAt": message.updatedAt,
          "data.message.sentAt": message.sentAt,
        }),
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
