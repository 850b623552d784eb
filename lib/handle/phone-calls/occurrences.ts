import type { CallFact } from "./call-fact.ts";

export interface Occurrence {
  readonly facts: CallFact[];
  /** Without a known start, its end or any known time. Identifies a meeting. */
  readonly fromMs: number | undefined;
}

/** Who returns sooner after everybody left is in the same meeting, unless the platform reported its end. */
const pauseMs = 5 * 60_000;
/** Starts further apart are two meetings. */
const startsApartMs = 60_000;

/**
 * Default: the last one. A meeting's id is the customer's and may be used every day; a call's is used once.
 * @see docs/internals/platform/events.md#call-sessions
 */
export function occurrenceAt(facts: readonly CallFact[], atMs: number | undefined): Occurrence {
  const whole = { facts: [...facts], fromMs: undefined };
  if (!isMeeting(facts)) return whole;
  const occurrences = cut(facts);
  const last = occurrences.at(-1) ?? whole;
  if (atMs === undefined) return last;
  // A leave may be reported just after the end.
  return occurrences.findLast(({ fromMs = Number.NEGATIVE_INFINITY }) => fromMs <= atMs) ?? last;
}

function isMeeting(facts: readonly CallFact[]): boolean {
  return facts.every((fact) => fact.kind !== "rang" && fact.sessionKind === "meeting");
}

interface Span {
  readonly fact: CallFact;
  readonly fromMs: number;
  readonly untilMs: number;
}

function cut(facts: readonly CallFact[]): Occurrence[] {
  const spans = facts.map(spanOf).toSorted((left, right) => left.fromMs - right.fromMs);
  const groups: Span[][] = [];
  for (const span of spans) {
    const current = groups.at(-1);
    if (current === undefined || isNew(span, current)) groups.push([span]);
    else current.push(span);
  }
  return groups.map((group) => ({
    facts: group.map(({ fact }) => fact),
    // A fact without a time may arrive late, and must not change the meeting's name.
    fromMs: finite(Math.min(...group.map(({ fromMs }) => fromMs).filter(Number.isFinite))),
  }));
}

function spanOf(fact: CallFact): Span {
  const moments = momentsOf(fact).filter((moment) => moment !== undefined);
  if (moments.length === 0)
    return { fact, fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY };
  return { fact, fromMs: Math.min(...moments), untilMs: Math.max(...moments) };
}

function momentsOf(fact: CallFact): (number | undefined)[] {
  switch (fact.kind) {
    case "rang":
    case "started":
      return [fact.at];
    case "stay":
      return [fact.joinedAt, fact.leftAt];
    case "ended":
      // Participants' times count only if the platform's is missing.
      return fact.startedAt === undefined
        ? [fact.endedAt, ...fact.stays.map(({ joinedAt }) => joinedAt)]
        : [fact.startedAt, fact.endedAt];
  }
}

function isNew({ fact, fromMs }: Span, current: readonly Span[]): boolean {
  const untilMs = untilOf(current);
  if (fromMs <= untilMs) return false;
  const start = startOf(fact);
  const starts = current.flatMap((span) => startOf(span.fact) ?? []);
  if (start !== undefined && starts.length > 0 && start - Math.max(...starts) > startsApartMs) return true;
  if (fact.kind === "stay" && fact.joinedAt === undefined) return false;
  if (current.some((span) => span.fact.kind === "ended")) return true;
  const left = current.flatMap(({ fact }) => (fact.kind === "stay" ? (fact.leftAt ?? []) : []));
  return left.includes(untilMs) && fromMs - untilMs > pauseMs;
}

function startOf(fact: CallFact): number | undefined {
  if (fact.kind === "started") return fact.at;
  return fact.kind === "ended" ? fact.startedAt : undefined;
}

function untilOf(group: readonly Span[]): number {
  return Math.max(...group.map(({ untilMs }) => untilMs));
}

export function finite(moment: number): number | undefined {
  return Number.isFinite(moment) ? moment : undefined;
}
