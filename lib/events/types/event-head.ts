import type { EventFamily } from "../identity.ts";

/** The common fields of every event. */
export interface EventHead {
  /** Equal for two deliveries of one occurrence (docs/internals/identity.md). */
  readonly key: string;
  /** Equal for occurrences that must stay in order. */
  readonly lane: string;
  /**
   * True if the same key, received after the platform's last retry, is another occurrence
   * (docs/internals/identity.md).
   */
  readonly canRecur: boolean;
  /** The kind of delivery. */
  readonly family: EventFamily;
  /** `legacy` for the older webhooks, bots and the e-mail extension. */
  readonly engine: "current" | "legacy";
  /** The platform's own name of the event. */
  readonly trigger: string;
  /** The app that it is about; `undefined` if neither the body nor the receiver names one. */
  readonly appId: string | undefined;
  /** `us`, `eu` or `in`. */
  readonly region: string | undefined;
  /** The id of the webhook that sent it. */
  readonly webhook: string | undefined;
  /**
   * When it happened, by the platform's clock; `undefined` if unknown
   * (docs/internals/reading.md#when-it-happened).
   */
  readonly occurredAt: Date | undefined;
  /** The field of `occurredAt`, such as `data.message.sentAt`. */
  readonly occurredAtField: string | undefined;
  /**
   * The uid of the acting user; `app_system` for the platform itself; `undefined` if the event names none.
   */
  readonly actor: string | undefined;
  /** Where it happened; `undefined` if the event has no conversation or does not name it. */
  readonly conversation: Conversation | undefined;
}

/** A conversation. */
export interface Conversation {
  /**
   * `group_<guid>` or `<uid>_user_<uid>`. If an event names two users and no conversation, their uids are
   * sorted, as in all known ids (docs/internals/platform/ids-and-limits.md#conversation-ids).
   */
  readonly id: string;
  /** Between two users, or in a group. */
  readonly type: "user" | "group";
}
