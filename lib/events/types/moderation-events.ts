import type { KnownEvent } from "./known-event.ts";
import type { Message } from "./message.ts";

/**
 * The engine let a message through.
 * @see docs/platform/events.md#moderation-events
 */
export interface ModerationEngineApprovedEvent
  extends KnownEvent<"webhook", "moderation_engine_approved">,
    ModerationDecision {}

/**
 * The engine blocked a message; comes instead of `message_sent`.
 * @see docs/platform/events.md#moderation-events
 */
export interface ModerationEngineBlockedEvent
  extends KnownEvent<"webhook", "moderation_engine_blocked">,
    ModerationDecision {}

/**
 * A moderator approved a message that was blocked. Does not name the moderator.
 * @see docs/platform/events.md#moderation-events
 */
export interface ModerationManualApprovedEvent
  extends KnownEvent<"webhook", "moderation_manual_approved">,
    ModerationDecision {}

/**
 * An engine gave no answer; comes beside the decision.
 * @see docs/platform/events.md#failed-engines
 */
export interface ModerationEngineFailedEvent extends KnownEvent<"webhook", "moderation_engine_failed"> {
  /** The message without its content. */
  readonly resource: UncheckedMessage;
  /** What was to be looked at: `text`, `image`, `video`, `audio` or `file`. */
  readonly contentType: string | undefined;
  /** `approved` or `disapproved`: what happened to the message nevertheless. */
  readonly outcome: string | undefined;
  /** When the moderation was through with it. */
  readonly completedAt: Date | undefined;
  /** What went wrong, engine by engine. */
  readonly failures: readonly ModerationFailure[];
}

/** What the moderation decided on a message. */
export interface ModerationDecision {
  /** The message, with its content. */
  readonly message: Message;
  /** The rules that matched; empty where the platform names none. */
  readonly matches: readonly RuleMatch[];
  /** The matching rule's id, from whichever place names it. */
  readonly ruleId: string | undefined;
  /** Whether a moderator looked at it. */
  readonly reviewed: boolean;
}

/**
 * A rule that matched a message.
 * @see docs/platform/moderation.md#what-events-say-of-a-decision
 */
export interface RuleMatch {
  /** What matched; its many fields are the rule editor's. */
  readonly condition?: Record<string, unknown> | undefined;
  /** Present where a filter excluded the message from the rule. */
  readonly filter?: Record<string, unknown> | undefined;
  /** The rule. */
  readonly rule?: MatchedRule | undefined;
}

/** A rule of the moderation, as a decision names it. */
export interface MatchedRule extends NamedRule {
  /** What it does, for example `blockMessage`. */
  readonly action?: string[] | undefined;
  /** When it blocked the message. */
  readonly blockedAt?: Date | undefined;
}

/** A rule of the moderation. */
export interface NamedRule {
  /** The rule's id. */
  readonly id?: string | undefined;
  /** The name that its editor shows. */
  readonly name?: string | undefined;
  /** `<appId>_<ruleId>_<n>` (docs/platform/ids-and-limits.md#revision-ids). */
  readonly revisionId?: string | undefined;
}

/** A message that an engine could not judge, without its content. */
export interface UncheckedMessage {
  /** The message's id. */
  readonly id: string;
  /** `<uid>_user_<uid>` or `group_<guid>`. */
  readonly conversationId?: string | undefined;
  /** The uid of who wrote it. */
  readonly sender?: string | undefined;
  /** `user` or `group`. */
  readonly receiverType?: string | undefined;
  /** The uid, or the bare guid of a group. */
  readonly receiver?: string | undefined;
  /** `message`, `custom` or a new one. */
  readonly category?: string | undefined;
  /** `text`, `image`, `file`, `audio` or `video`; of the category `custom` any. */
  readonly type?: string | undefined;
  /** When it was sent. */
  readonly sentAt?: Date | undefined;
}

/**
 * Why an engine gave no answer.
 * @see docs/platform/events.md#failed-engines
 */
export interface ModerationFailure {
  /** `http_4xx`, `http_5xx`, `timeout`, `connection_error`, `invalid_response` or `not_configured`. */
  readonly category?: string | undefined;
  /** What went wrong, in words. */
  readonly errorMessage?: string | undefined;
  /** When it failed. */
  readonly failedAt?: Date | undefined;
  /** The status that the engine answered with. */
  readonly httpStatus?: number | undefined;
  /** At most 2 KB and possibly cut: never parse it. */
  readonly responseBody?: string | undefined;
  /** Whether `responseBody` is cut. */
  readonly responseBodyTruncated?: boolean | undefined;
  /** How long the platform waited, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** What was wrong with the engine's answer. */
  readonly validationErrors?: string[] | undefined;
  /** Which engine was asked, and by which rule. */
  readonly context?: FailureContext | undefined;
}

/** Which engine failed, and for which rule. */
export interface FailureContext {
  /** `openai` or `custom_api`. */
  readonly engine?: string | undefined;
  /** What becomes of messages that it cannot judge: `approve-message` or `drop-message`. */
  readonly setting?: string | undefined;
  /** The rule that asked it. */
  readonly rule?: NamedRule | undefined;
  /** The condition of the rule, in the rule editor's form. */
  readonly condition?: Record<string, unknown> | undefined;
  /** What the engine was asked, in the platform's own form. */
  readonly request?: Record<string, unknown> | undefined;
  /** The engine's own code of the failure. */
  readonly providerErrorCode?: string | undefined;
  /** The id that OpenAI gave the request. */
  readonly openaiRequestId?: string | undefined;
}
