import * as z from "zod/mini";
import { recordOf } from "../base/record-of.ts";
import type { EventFamily } from "./identity.ts";
import { findOddities, type Oddity, type Problem, toProblems } from "./problems.ts";
import type { Conversation, EventHead, KnownEvent } from "./types/known-event.ts";
import { withoutNulls } from "./without-nulls.ts";

export interface HeadFacts {
  readonly occurredAt?: Date | undefined;
  readonly occurredAtField?: string | undefined;
  readonly actor?: string | undefined;
  readonly conversation?: Conversation | undefined;
}

type ReadEvent<Family extends EventFamily, Trigger extends string, Facts> = KnownEvent<Family, Trigger> &
  Readonly<Facts>;

type Reading<Event> =
  | { readonly ok: true; readonly event: Event; readonly oddities: readonly Oddity[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type OuterHead = Omit<EventHead, keyof HeadFacts>;

export interface Unread {
  readonly outer: OuterHead;
  readonly data: unknown;
  /** The whole delivery, for fields outside `data`. */
  readonly body: unknown;
  /** Milliseconds since 1970; much later event times are invalid. */
  readonly receivedAt: number | undefined;
}

/** Never throws for a JSON value. */
export interface EventReader<Event> {
  read(unread: Unread): Reading<Event>;
}

interface Form<Data, Trigger, Facts> {
  /** Only fields that every handler needs (docs/internals/reading.md). */
  readonly schema: z.ZodMiniType<Data>;
  readonly normalise: (
    data: Data,
    trigger: Trigger,
    body: unknown,
  ) => { readonly head: HeadFacts; readonly facts: Facts };
}

/** For data that `isUsed` recognizes, with the same content. */
interface OtherForm<Data, Trigger, Facts> extends Form<Data, Trigger, Facts> {
  readonly isUsed: (data: unknown, trigger: Trigger) => boolean;
}

export function defineEvents<Family extends EventFamily, const Trigger extends string, Data, Facts, Other>(
  family: Family,
  triggers: readonly Trigger[],
  schema: Form<Data, Trigger, Facts>["schema"],
  normalise: Form<Data, Trigger, Facts>["normalise"],
  other?: OtherForm<Other, Trigger, Facts>,
): { readonly [Name in Trigger]: EventReader<ReadEvent<Family, Name, Facts>> };
// Typed by the signature above.
export function defineEvents<Data, Facts, Other>(
  family: EventFamily,
  triggers: readonly string[],
  schema: Form<Data, string, Facts>["schema"],
  normalise: Form<Data, string, Facts>["normalise"],
  other?: OtherForm<Other, string, Facts>,
): object {
  return recordOf(triggers, (trigger) => ({
    read(unread: Unread) {
      const data = withoutNulls(unread.data);
      return other?.isUsed(data, trigger)
        ? readForm(family, trigger, other, unread, data)
        : readForm(family, trigger, { schema, normalise }, unread, data);
    },
  }));
}

function readForm<Data, Facts>(
  family: EventFamily,
  trigger: string,
  { schema, normalise }: Form<Data, string, Facts>,
  { outer, data, body, receivedAt }: Unread,
  cleaned: unknown,
): Reading<ReadEvent<EventFamily, string, Facts>> {
  const result = z.safeParse(schema, cleaned);
  if (!result.success) return { ok: false, problems: toProblems(result.error.issues, data) };

  const { head, facts } = normalise(result.data, trigger, body);
  const { actor, conversation, ...moment } = head;
  const { occurredAt, occurredAtField } = isToCome(moment.occurredAt, receivedAt) ? noMoment : moment;
  const fullHead = { ...outer, occurredAt, occurredAtField, actor, conversation };
  const event = { kind: "known", family, trigger, head: fullHead, data, ...facts } as const;
  return { ok: true, event, oddities: findOddities(result.data, cleaned) };
}

const noMoment: HeadFacts = {};

/** The clocks may differ by minutes, never by a day. */
const clockToleranceMs = 86_400_000;

function isToCome(occurredAt: Date | undefined, receivedAt: number | undefined) {
  if (occurredAt === undefined || receivedAt === undefined) return false;
  return occurredAt.getTime() > receivedAt + clockToleranceMs;
}

export function firstMoment(
  moments: Readonly<Record<string, Date | undefined>>,
): Pick<HeadFacts, "occurredAt" | "occurredAtField"> {
  for (const [field, at] of Object.entries(moments)) {
    if (at !== undefined) return { occurredAt: at, occurredAtField: field };
  }
  return {};
}
