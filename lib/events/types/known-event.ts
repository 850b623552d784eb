import type { EventFamily } from "../identity.ts";

/** Common fields of the catalogue's events. */
export interface KnownEvent<Family extends EventFamily, Trigger extends string> {
  /** Not `unknown` or `derived`. */
  readonly kind: "known";
  /** Distinguishes two events of one name. */
  readonly family: Family;
  /** The platform's name. */
  readonly trigger: Trigger;
  /** What every event has. */
  readonly head: EventHead;
  /** As received: unknown fields, nulls, the platform's numbers. */
  readonly data: unknown;
}

/** A trigger not in the catalogue: new or misspelled. */
export interface UnknownEvent {
  /** Not in the catalogue. */
  readonly kind: "unknown";
  /** The kind of delivery. */
  readonly family: EventFamily;
  /** The name as received. */
  readonly trigger: string;
  /** Without time, actor and conversation. */
  readonly head: EventHead;
  /** As received. */
  readonly data: unknown;
}

/** The common fields of every event. */
export interface EventHead {
  /** Equal for two deliveries of one occurrence (docs/internals/identity.md). */
  readonly key: string;
  /** Equal for occurrences that must stay in order. */
  readonly lane: string;
  /**
   * True if the same key, after the platform's last retry, is another occurrence
   * (docs/internals/identity.md).
   */
  readonly canRecur: boolean;
  /** The kind of delivery. */
  readonly family: EventFamily;
  /** `legacy` for the older webhooks, bots and the e-mail extension. */
  readonly engine: "current" | "legacy";
  /** The platform's name. */
  readonly trigger: string;
  /** `undefined` if neither the body nor the receiver names one. */
  readonly appId: string | undefined;
  /** `us`, `eu` or `in`. */
  readonly region: string | undefined;
  /** Id of the sending webhook. */
  readonly webhook: string | undefined;
  /** By the platform's clock; `undefined` if unknown (docs/internals/reading.md#when-it-happened). */
  readonly occurredAt: Date | undefined;
  /** Such as `data.message.sentAt`. */
  readonly occurredAtField: string | undefined;
  /** uid; `app_system` for the platform; `undefined` if none is named. */
  readonly actor: string | undefined;
  /** `undefined` if the event has or names none. */
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
