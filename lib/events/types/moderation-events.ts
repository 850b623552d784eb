import type { KnownEvent } from "./known-event.ts";
import type { Message } from "./message.ts";

/** The engine approved a message. @see docs/internals/platform/events.md#moderation-events */
export interface ModerationEngineApprovedEvent
  extends KnownEvent<"webhook", "moderation_engine_approved">,
    ModerationDecision {}

/**
 * The engine blocked a message. Sent instead of `message_sent`.
 * @see docs/internals/platform/events.md#moderation-events
 */
export interface ModerationEngineBlockedEvent
  extends KnownEvent<"webhook", "moderation_engine_blocked">,
    ModerationDecision {}

/**
 * A moderator approved a blocked message. Does not name the moderator.
 * @see docs/internals/platform/events.md#moderation-events
 */
export interface ModerationManualApprovedEvent
  extends KnownEvent<"webhook", "moderation_manual_approved">,
    ModerationDecision {}

/**
 * An engine did not answer. Sent in addition to the decision.
 * @see docs/internals/platform/events.md#failed-engines
 */
export interface ModerationEngineFailedEvent extends KnownEvent<"webhook", "moderation_engine_failed"> {
  /** The message without its content. */
  readonly resource: UncheckedMessage;
  /** `text`, `image`, `video`, `audio` or `file`. */
  readonly contentType: string | undefined;
  /** `approved` or `disapproved`: the decision despite the failure. */
  readonly outcome: string | undefined;
  /** When the moderation finished. */
  readonly completedAt: Date | undefined;
  /** The failures, by engine. */
  readonly failures: readonly ModerationFailure[];
}

/** The moderation's decision on a message. */
export interface ModerationDecision {
  /** The message, with its content. */
  readonly message: Message;
  /** Empty if the platform names none. */
  readonly matches: readonly RuleMatch[];
  /** From any field that names it. */
  readonly ruleId: string | undefined;
  /** Whether a moderator reviewed it. */
  readonly reviewed: boolean;
}

/** A rule that matched a message. @see docs/internals/platform/moderation.md#what-events-say-of-a-decision */
export interface RuleMatch {
  /** In the rule editor's form. */
  readonly condition?: Record<string, unknown> | undefined;
  /** Present if it excluded the message. */
  readonly filter?: Record<string, unknown> | undefined;
  /** The rule. */
  readonly rule?: MatchedRule | undefined;
}

/** A moderation rule in a decision. */
export interface MatchedRule extends NamedRule {
  /** Such as `blockMessage`. */
  readonly action?: string[] | undefined;
  /** When it blocked the message. */
  readonly blockedAt?: Date | undefined;
}

/** A moderation rule. */
export interface NamedRule {
  /** The rule's id. */
  readonly id?: string | undefined;
  /** The name in the rule editor. */
  readonly name?: string | undefined;
  /** `<appId>_<ruleId>_<n>` (docs/internals/platform/ids-and-limits.md#revision-ids). */
  readonly revisionId?: string | undefined;
}

/** A message that an engine could not check, without its content. */
export interface UncheckedMessage {
  /** The message's id. */
  readonly id: string;
  /** `<uid>_user_<uid>` or `group_<guid>`. */
  readonly conversationId?: string | undefined;
  /** uid of the sender. */
  readonly sender?: string | undefined;
  /** `user` or `group`. */
  readonly receiverType?: string | undefined;
  /** The uid, or the bare guid of a group. */
  readonly receiver?: string | undefined;
  /** `message`, `custom` or a new one. */
  readonly category?: string | undefined;
  /** `text`, `image`, `file`, `audio` or `video`; any text for the category `custom`. */
  readonly type?: string | undefined;
  /** When sent. */
  readonly sentAt?: Date | undefined;
}

/** Why an engine did not answer. @see docs/internals/platform/events.md#failed-engines */
export interface ModerationFailure {
  /** `http_4xx`, `http_5xx`, `timeout`, `connection_error`, `invalid_response` or `not_configured`. */
  readonly category?: string | undefined;
  /** The error in words. */
  readonly errorMessage?: string | undefined;
  /** When it failed. */
  readonly failedAt?: Date | undefined;
  /** The HTTP status of the engine's answer. */
  readonly httpStatus?: number | undefined;
  /** At most 2 KB, possibly cut: do not parse it. */
  readonly responseBody?: string | undefined;
  /** Whether `responseBody` is cut. */
  readonly responseBodyTruncated?: boolean | undefined;
  /** How long the platform waited, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** The errors in the engine's answer. */
  readonly validationErrors?: string[] | undefined;
  /** The engine and the rule. */
  readonly context?: FailureContext | undefined;
}

/** The engine that failed, and its rule. */
export interface FailureContext {
  /** `openai` or `custom_api`. */
  readonly engine?: string | undefined;
  /** For messages that it cannot check: `approve-message` or `drop-message`. */
  readonly setting?: string | undefined;
  /** The rule that called it. */
  readonly rule?: NamedRule | undefined;
  /** In the rule editor's form. */
  readonly condition?: Record<string, unknown> | undefined;
  /** In the platform's form. */
  readonly request?: Record<string, unknown> | undefined;
  /** The engine's error code. */
  readonly providerErrorCode?: string | undefined;
  /** OpenAI's id of the request. */
  readonly openaiRequestId?: string | undefined;
}
