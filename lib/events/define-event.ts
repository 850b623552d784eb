import * as z from "zod/mini";
import type { EventFamily } from "./identity.ts";
import { findOddities, type Oddity } from "./oddities.ts";
import { type Problem, toProblems } from "./problems.ts";
import type { Conversation, EventHead } from "./types/event-head.ts";
import type { KnownEvent } from "./types/known-event.ts";
import { withoutNulls } from "./without-nulls.ts";

/** The part of the head that only the family's own reader can know. */
export interface HeadFacts {
  readonly occurredAt?: Date | undefined;
  readonly occurredAtField?: string | undefined;
  readonly actor?: string | undefined;
  readonly conversation?: Conversation | undefined;
}

/** An event of the catalogue as its reader makes it: what all have, and the facts made uniform. */
type ReadEvent<Family extends EventFamily, Trigger extends string, Facts> = KnownEvent<Family, Trigger> &
  Readonly<Facts>;

type Reading<Event> =
  | { readonly ok: true; readonly event: Event; readonly oddities: readonly Oddity[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The part of the head that is known before the data is read. */
export type OuterHead = Omit<EventHead, keyof HeadFacts>;

/** A delivery, as far as it is known before its data is read. */
export interface Unread {
  readonly outer: OuterHead;
  readonly data: unknown;
  /** The whole delivery, for the few keys that stand beside `data`. */
  readonly body: unknown;
  /** Milliseconds since 1970: nothing is told before it happens. */
  readonly receivedAt: number | undefined;
}

/** Reads the data of one trigger. Never throws for a JSON value. */
export interface EventReader<Event> {
  read(unread: Unread): Reading<Event>;
}

/** How one form of an event is read, and its facts made uniform. `body` is the whole delivery. */
interface Form<Data, Facts> {
  /** Only what no trigger can do without is required in it (docs/reading.md). */
  readonly schema: z.ZodMiniType<Data>;
  readonly normalise: (data: Data, body: unknown) => { head: HeadFacts; facts: Facts };
}

interface Name<Family extends EventFamily, Trigger extends string> {
  readonly family: Family;
  readonly trigger: Trigger;
}

/** Makes the reader of one trigger from its schema and its normaliser. */
export function defineEvent<Family extends EventFamily, const Trigger extends string, Data, Facts>({
  family,
  trigger,
  ...form
}: Name<Family, Trigger> & Form<Data, Facts>): EventReader<ReadEvent<Family, Trigger, Facts>> {
  return { read: (unread) => readForm(family, trigger, form, unread, withoutNulls(unread.data)) };
}

/** Makes the reader of a trigger that comes in two forms with the same facts. */
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

/** The platform's clock and ours may differ by minutes, and never by a day. */
const clockToleranceMs = 86_400_000;

function isToCome(occurredAt: Date | undefined, receivedAt: number | undefined): boolean {
  if (occurredAt === undefined || receivedAt === undefined) return false;
  return occurredAt.getTime() > receivedAt + clockToleranceMs;
}
