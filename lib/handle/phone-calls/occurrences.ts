import type { CallReport } from "./call-report.ts";

export interface Occurrence {
  readonly reports: CallReport[];
  /** The start, or if not known the end or any known time. Identifies a meeting. */
  readonly fromMs: number | undefined;
}

/**
 * A participant who returns within this time after everybody left is in the same meeting, unless the platform
 * reported its end.
 */
const pauseMs = 5 * 60_000;
/** Starts further apart belong to two meetings. */
const startsApartMs = 60_000;

/**
 * Returns the occurrence at a time. Default: the last one. A meeting's id is chosen by the customer and may
 * be used every day; a call's id is used once.
 * @see docs/internals/platform/events.md#call-sessions
 */
export function occurrenceAt(reports: readonly CallReport[], atMs: number | undefined): Occurrence {
  const whole = { reports: [...reports], fromMs: undefined };
  if (!isMeeting(reports)) return whole;
  const occurrences = cut(reports);
  const last = occurrences.at(-1) ?? whole;
  if (atMs === undefined) return last;
  // A leave may be reported just after the end.
  return occurrences.findLast(({ fromMs = Number.NEGATIVE_INFINITY }) => fromMs <= atMs) ?? last;
}

function isMeeting(reports: readonly CallReport[]): boolean {
  return reports.every((report) => report.kind !== "rang" && report.sessionKind === "meeting");
}

interface Span {
  readonly report: CallReport;
  readonly fromMs: number;
  readonly untilMs: number;
}

function cut(reports: readonly CallReport[]): Occurrence[] {
  const spans = reports.map(spanOf).toSorted((left, right) => left.fromMs - right.fromMs);
  const groups: Span[][] = [];
  for (const span of spans) {
    const current = groups.at(-1);
    if (current === undefined || isNew(span, current)) groups.push([span]);
    else current.push(span);
  }
  return groups.map((group) => ({
    reports: group.map(({ report }) => report),
    // A report without a time may arrive late, and must not change the meeting's name.
    fromMs: finite(Math.min(...group.map(({ fromMs }) => fromMs).filter(Number.isFinite))),
  }));
}

function spanOf(report: CallReport): Span {
  const moments = momentsOf(report).filter((moment) => moment !== undefined);
  if (moments.length === 0)
    return { report, fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY };
  return { report, fromMs: Math.min(...moments), untilMs: Math.max(...moments) };
}

function momentsOf(report: CallReport): (number | undefined)[] {
  switch (report.kind) {
    case "rang":
    case "started":
      return [report.at];
    case "stay":
      return [report.joinedAt, report.leftAt];
    case "ended":
      // Participants' times count only if the platform's is missing.
      return report.startedAt === undefined
        ? [report.endedAt, ...report.stays.map(({ joinedAt }) => joinedAt)]
        : [report.startedAt, report.endedAt];
  }
}

function isNew({ report, fromMs }: Span, current: readonly Span[]): boolean {
  const untilMs = untilOf(current);
  if (fromMs <= untilMs) return false;
  const start = startOf(report);
  const starts = current.flatMap((span) => startOf(span.report) ?? []);
  if (start !== undefined && starts.length > 0 && start - Math.max(...starts) > startsApartMs) return true;
  if (report.kind === "stay" && report.joinedAt === undefined) return false;
  if (current.some((span) => span.report.kind === "ended")) return true;
  const left = current.flatMap(({ report }) => (report.kind === "stay" ? (report.leftAt ?? []) : []));
  return left.includes(untilMs) && fromMs - untilMs > pauseMs;
}

function startOf(report: CallReport): number | undefined {
  if (report.kind === "started") return report.at;
  return report.kind === "ended" ? report.startedAt : undefined;
}

function untilOf(group: readonly Span[]): number {
  return Math.max(...group.map(({ untilMs }) => untilMs));
}

export function finite(moment: number): number | undefined {
  return Number.isFinite(moment) ? moment : undefined;
}
