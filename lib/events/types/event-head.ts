import type { EventFamily } from "../identity.ts";

/** What every event says in the same way. */
export interface EventHead {
  /** Equal for two deliveries of one fact (docs/identity.md). */
  readonly key: string;
  /** Equal for facts that must stay in order. */
  readonly lane: string;
  /** True where the same key, received later than a retry can come, is another fact (docs/identity.md). */
  readonly canRecur: boolean;
  /** Which kind of delivery it is. */
  readonly family: EventFamily;
  /** `legacy` for the older webhooks, bots and the e-mail extension. */
  readonly engine: "current" | "legacy";
  /** The platform's own name of the event. */
  readonly trigger: string;
  /** The app that it is about; `undefined` where neither the body nor the receiver names one. */
  readonly appId: string | undefined;
  /** `us`, `eu` or `in`. */
  readonly region: string | undefined;
  /** The id of the webhook that sent it. */
  readonly webhook: string | undefined;
  /** When it happened, by the platform's clock; `undefined` where the platform does not say (docs/reading.md#when-it-happened). */
  readonly occurredAt: Date | undefined;
  /** The field that `occurredAt` comes from, such as `data.message.sentAt`. */
  readonly occurredAtField: string | undefined;
  /** The uid of who did it; `app_system` for the platform itself; `undefined` where nobody is named. */
  readonly actor: string | undefined;
  /** Where it happened; `undefined` for what happens in no conversation, or where none is named. */
  readonly conversation: Conversation | undefined;
}

/** A conversation, named. */
export interface Conversation {
  /**
   * `group_<guid>` or `<uid>_user_<uid>`. Where an event names two people and no conversation, their
   * uids are sorted, as in all ids that were seen (docs/platform/ids-and-limits.md#conversation-ids).
   */
  readonly id: string;
  /** Between two people, or of a group. */
  readonly type: "user" | "group";
}
