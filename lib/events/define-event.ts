import * as z from "zod/mini";
import type { EventFamily } from "./identity.ts";
import { findOddities, type Oddity } from "./oddities.ts";
import { type Problem, toProblems } from "./problems.ts";
import type { Conversation, EventHead } from "./types/event-head.ts";
import type { KnownEvent } from "./types/known-event.ts";
import { withoutNulls } from "./without-nulls.ts";

/** The part of the head that only the event's reader knows. */
export interface HeadFacts {
  readonly occurredAt?: Date | undefined;
  readonly occurredAtField?: string | undefined;
  readonly actor?: string | undefined;
  readonly conversation?: Conversation | undefined;
}

/** The result of an event's reader: the common fields and the normalized content. */
type ReadEvent<Family extends EventFamily, Trigger extends string, Facts> = KnownEvent<Family, Trigger> &
  Readonly<Facts>;

type Reading<Event> =
  | { readonly ok: true; readonly event: Event; readonly oddities: readonly Oddity[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The part of the head that is known before the data is read. */
export type OuterHead = Omit<EventHead, keyof HeadFacts>;

export interface Unread {
  readonly outer: OuterHead;
  readonly data: unknown;
  /** The whole delivery, for the few fields outside `data`. */
  readonly body: unknown;
  /** Milliseconds since 1970. Later event times are invalid. */
  readonly receivedAt: number | undefined;
}

/** Reads the data of one trigger. Never throws for a JSON value. */
export interface EventReader<Event> {
  read(unread: Unread): Reading<Event>;
}

/** How to read and normalize one form of an event. `body` is the whole delivery. */
interface Form<Data, Facts> {
  /** Requires only fields that every trigger handler needs (docs/internals/reading.md). */
  readonly schema: z.ZodMiniType<Data>;
  readonly normalise: (data: Data, body: unknown) => { head: HeadFacts; facts: Facts };
}

interface Name<Family extends EventFamily, Trigger extends string> {
  readonly family: Family;
  readonly trigger: Trigger;
}

/** Creates the reader of one trigger from its schema and its normalizer. */
export function defineEvent<Family extends EventFamily, const Trigger extends string, Data, Facts>({
  family,
  trigger,
  ...form
}: Name<Family, Trigger> & Form<Data, Facts>): EventReader<ReadEvent<Family, Trigger, Facts>> {
  return { read: (unread) => readForm(family, trigger, form, unread, withoutNulls(unread.data)) };
}

/** Creates the reader of a trigger that has two forms with the same content. */
export function defineEventOfTwoForms<
  Family extends EventFamily,
  const Trigger extends string,
  First,
  Second,
  Facts,
>({
  family,
  trigger,
  isSecond,
  first,
  second,
}: Name<Family, Trigger> & {
  readonly isSecond: (data: unknown) => boolean;
  readonly first: Form<First, Facts>;
  readonly second: Form<Second, Facts>;
}): EventReader<ReadEvent<Family, Trigger, Facts>> {
  return {
    read(unread) {
      const cleaned = withoutNulls(unread.data);
      return isSecond(cleaned)
        ? readForm(family, trigger, second, unread, cleaned)
        : readForm(family, trigger, first, unread, cleaned);
    },
  };
}

function readForm<Family extends EventFamily, Trigger extends string, Data, Facts>(
  family: Family,
  trigger: Trigger,
  { schema, normalise }: Form<Data, Facts>,
  { outer, data, body, receivedAt }: Unread,
  cleaned: unknown,
): Reading<ReadEvent<Family, Trigger, Facts>> {
  const result = z.safeParse(schema, cleaned);
  if (!result.success) return { ok: false, problems: toProblems(result.error.issues, data) };

  const { head, facts } = normalise(result.data, body);
  const { actor, conversation, ...moment } = head;
  const { occurredAt, occurredAtField } = isToCome(moment.occurredAt, receivedAt) ? noMoment : moment;
  const fullHead = { ...outer, occurredAt, occurredAtField, actor, conversation };
  const event = { kind: "known", family, trigger, head: fullHead, data, ...facts } as const;
  return { ok: true, event, oddities: findOddities(result.data, cleaned) };
}

const noMoment: HeadFacts = {};

/** The platform's clock and ours may differ by minutes, never by a day. */
const clockToleranceMs = 86_400_000;

function isToCome(occurredAt: Date | undefined, receivedAt: number | undefined): boolean {
  if (occurredAt === undefined || receivedAt === undefined) return false;
  return occurredAt.getTime() > receivedAt + clockToleranceMs;
}
