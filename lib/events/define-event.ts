import * as z from "zod/mini";
import type { EventFamily } from "./identity.ts";
import { type Problem, toProblems } from "./problems.ts";
import { withoutNulls } from "./without-nulls.ts";

/** What every event says in the same way. */
export interface EventHead {
  /** Equal for two deliveries of one fact. */
  readonly key: string;
  /** Equal for facts that must stay in order. */
  readonly lane: string;
  /** True where the same key, received later than a retry can come, is another fact (docs/identity.md). */
  readonly canRecur: boolean;
  readonly family: EventFamily;
  readonly engine: "current" | "legacy";
  readonly trigger: string;
  readonly appId: string | undefined;
  /** `us`, `eu` or `in`. */
  readonly region: string | undefined;
  /** The id of the webhook that sent it. */
  readonly webhook: string | undefined;
  /** When it happened, by the platform's clock; `undefined` where the platform does not say. */
  readonly occurredAt: Date | undefined;
  /** The field that `occurredAt` comes from, such as `data.message.sentAt`. */
  readonly occurredAtField: string | undefined;
  /** The uid of who did it; `app_system` for the platform itself; `undefined` where nobody is named. */
  readonly actor: string | undefined;
  readonly conversation: Conversation | undefined;
}

export interface Conversation {
  /**
   * `group_<guid>` or `<uid>_user_<uid>`. Where an event names two people and no conversation, their
   * uids are sorted, as in all ids that were seen (docs/platform/ids-and-limits.md#conversation-ids).
   */
  readonly id: string;
  readonly type: "user" | "group";
}

/** The part of the head that only the family's own reader can know. */
export interface HeadFacts {
  readonly occurredAt?: Date | undefined;
  readonly occurredAtField?: string | undefined;
  readonly actor?: string | undefined;
  readonly conversation?: Conversation | undefined;
}

/** An event whose trigger is in the catalogue: head, the platform's own `data`, and the facts made uniform. */
export type KnownEvent<Family extends EventFamily, Trigger extends string, Facts> = {
  readonly kind: "known";
  readonly family: Family;
  readonly trigger: Trigger;
  readonly head: EventHead;
  /** As received: unknown fields, nulls and the platform's own numbers. */
  readonly data: unknown;
} & Readonly<Facts>;

type Reading<Event> =
  | { readonly ok: true; readonly event: Event }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The part of the head that is known before the data is read. */
export type OuterHead = Omit<EventHead, keyof HeadFacts>;

/** Reads the data of one trigger. Never throws for a JSON value. */
export interface EventReader<Event> {
  read(head: OuterHead, data: unknown, body: unknown): Reading<Event>;
}

interface Definition<Family extends EventFamily, Trigger extends string, Data, Facts> {
  readonly family: Family;
  readonly trigger: Trigger;
  /** A function where the platform sends more than one form. */
  readonly schema: z.ZodMiniType<Data> | ((data: unknown) => z.ZodMiniType<Data>);
  /** Makes the facts uniform. `body` is the whole delivery, for the few keys that stand beside `data`. */
  readonly normalise: (data: Data, body: unknown) => { head: HeadFacts; facts: Facts };
}

/** Makes the reader of one trigger from its schema and its normaliser. */
export function defineEvent<Family extends EventFamily, const Trigger extends string, Data, Facts>({
  family,
  trigger,
  schema,
  normalise,
}: Definition<Family, Trigger, Data, Facts>): EventReader<KnownEvent<Family, Trigger, Facts>> {
  return {
    read(outer, data, body) {
      const cleaned = withoutNulls(data);
      const result = z.safeParse(typeof schema === "function" ? schema(cleaned) : schema, cleaned);
      if (!result.success) return { ok: false, problems: toProblems(result.error.issues, data) };

      const { head, facts } = normalise(result.data, body);
      const { occurredAt, occurredAtField, actor, conversation } = head;
      const fullHead = { ...outer, occurredAt, occurredAtField, actor, conversation };
      return { ok: true, event: { kind: "known", family, trigger, head: fullHead, data, ...facts } };
    },
  };
}
