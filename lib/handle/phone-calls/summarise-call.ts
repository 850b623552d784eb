import type { CallSummary, Participant } from "../../events/call-event.ts";
import { joinFields } from "../../events/identity.ts";
import type { CallReport, Stay } from "./call-report.ts";

export interface Occurrence {
  readonly reports: CallReport[];
  /** The start, or if not known the end or any known time. Identifies a meeting. */
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
}

/**
 * A participant who returns within this time after everybody left is in the same meeting, unless the platform
 * reported its end.
 */
const pauseMs = 5 * 60_000;
/** Starts further apart belong to two meetings. */
const startsApartMs = 60_000;

/**
 * Default: the last one. The customer chooses a meeting's id and may use it every day; a call's id is used
 * once.
 * @see docs/internals/platform/events.md#call-sessions
 */
export function occurrenceAt(reports: readonly CallReport[], atMs: number | undefined): Occurrence {
  const whole = { reports: [...reports], fromMs: undefined, untilMs: undefined };
  if (!mayRecur(reports)) return whole;
  const occurrences = cut(reports);
  const last = occurrences.at(-1) ?? whole;
  if (atMs === undefined) return last;
  // A leave may be reported just after the end.
  return occurrences.findLast(({ fromMs = Number.NEGATIVE_INFINITY }) => fromMs <= atMs) ?? last;
}

function mayRecur(reports: readonly CallReport[]) {
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
    untilMs: finite(untilOf(group)),
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

function isNew({ report, fromMs }: Span, current: readonly Span[]) {
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

function startOf(report: CallReport) {
  if (report.kind === "started") return report.at;
  return report.kind === "ended" ? report.startedAt : undefined;
}

function untilOf(group: readonly Span[]) {
  return Math.max(...group.map(({ untilMs }) => untilMs));
}

function finite(moment: number) {
  return Number.isFinite(moment) ? moment : undefined;
}

/**
 * Returns undefined until the session is known to be over: the platform reported the end, or everybody who
 * joined has left.
 * @param overAtMs if everybody had left by then: later joins are ignored
 */
export function summariseCall(
  reports: readonly CallReport[],
  { appId, region, sessionId, occurrenceMs }: Session,
  overAtMs = Number.POSITIVE_INFINITY,
): CallSummary | undefined {
  const ends = reports.filter((report) => report.kind === "ended");
  const starts = reports.filter((report) => report.kind === "started");
  const known = [...reports.filter((report) => report.kind === "stay"), ...ends.flatMap((end) => end.stays)];
  const stays = known.filter(({ joinedAt = overAtMs }) => joinedAt <= overAtMs);
  const people = byPerson(stays);
  if (ends.length === 0 && !Number.isFinite(overAtMs) && !haveAllLeft(people)) return undefined;

  const startedMs =
    earliest([...starts.map(({ at }) => at), ...ends.map(({ startedAt }) => startedAt)]) ??
    earliest(stays.map(({ joinedAt }) => joinedAt));
  const endedMs = latest(ends.map(({ endedAt }) => endedAt)) ?? latest(stays.map(({ leftAt }) => leftAt));
  const [ringing] = reports
    .filter((report) => report.kind === "rang")
    .toSorted((left, right) => compare(left.at, right.at) || compareText(left, right));
  const isMeeting = [...starts, ...ends, ...reports.filter((report) => report.kind === "stay")].every(
    (report) => report.sessionKind === "meeting",
  );
  const occurrence = occurrenceMs === undefined ? [] : [String(occurrenceMs)];

  return {
    kind: "derived",
    trigger: "call_summary",
    head: {
      key: joinFields([appId, "call_summary", sessionId, ...occurrence]),
      lane: joinFields([appId, sessionId]),
      canRecur: false,
      family: "webhook",
      engine: "current",
      trigger: "call_summary",
      appId,
      region,
      webhook: undefined,
      occurredAt: toDate(endedMs),
      occurredAtField: undefined,
      actor: undefined,
      conversation: ringing?.conversation,
    },
    sessionId,
    sessionKind: isMeeting ? "meeting" : "call",
    type: ringing?.type,
    caller: ringing?.caller,
    callee: ringing?.callee,
    participants: people
      .map((stays) => toParticipant(stays, { startedMs, endedMs }))
      .toSorted(
        (left, right) =>
          compare(left.joinedAt?.getTime(), right.joinedAt?.getTime()) || compareText(left, right),
      ),
    startedAt: toDate(startedMs),
    endedAt: toDate(endedMs),
    durationMs:
      startedMs !== undefined && endedMs !== undefined ? Math.max(0, endedMs - startedMs) : undefined,
    isEndReported: ends.length > 0,
  };
}

interface Session {
  readonly appId: string;
  readonly region: string | undefined;
  readonly sessionId: string;
  readonly occurrenceMs: number | undefined;
}

/** A stay without uid belongs to the only person of that name, if there is exactly one. */
function byPerson(stays: readonly Stay[]): Stay[][] {
  const uidsOfName = new Map<string, Set<string>>();
  for (const { uid, name } of stays) {
    if (uid === undefined || name === undefined) continue;
    uidsOfName.set(name, (uidsOfName.get(name) ?? new Set()).add(uid));
  }
  const personOf = ({ uid, name = "" }: Stay) => {
    if (uid !== undefined) return `uid ${uid}`;
    const [only, ...others] = uidsOfName.get(name) ?? [];
    return only !== undefined && others.length === 0 ? `uid ${only}` : `name ${name}`;
  };
  return [...Map.groupBy(stays, personOf).values()];
}

function haveAllLeft(people: readonly Stay[][]) {
  return (
    people.length > 0 &&
    people.every((stays) => {
      const left = latest(stays.map(({ leftAt }) => leftAt));
      return left !== undefined && left >= (latest(stays.map(({ joinedAt }) => joinedAt)) ?? left);
    })
  );
}

function toParticipant(
  stays: readonly Stay[],
  session: { startedMs: number | undefined; endedMs: number | undefined },
): Participant {
  return {
    uid: smallest(stays.map(({ uid }) => uid)),
    name: smallest(stays.map(({ name }) => name)),
    joinedAt: toDate(earliest(stays.map(({ joinedAt }) => joinedAt))),
    leftAt: toDate(latest(stays.map(({ leftAt }) => leftAt))),
    presentMs: presentMs(stays, session),
  };
}

/** Without a reported leave, a stay lasts until the session's end; without a join, since its start. */
function presentMs(
  stays: readonly Stay[],
  { startedMs, endedMs }: { startedMs: number | undefined; endedMs: number | undefined },
) {
  const joins = new Set(stays.flatMap(({ joinedAt }) => joinedAt ?? []));
  const leaves = new Set(stays.flatMap(({ leftAt }) => leftAt ?? []));
  const moments = [...joins, ...leaves].toSorted((left, right) => left - right);

  let totalMs: number | undefined;
  const [first] = moments;
  let since = first === undefined || joins.has(first) ? undefined : startedMs;
  for (const at of new Set(moments)) {
    const wasThere = since !== undefined;
    const staysOn = joins.has(at) && (!leaves.has(at) || isBackAt(at, stays, wasThere));
    if (joins.has(at)) since ??= at;
    if (staysOn || since === undefined) continue;
    totalMs = (totalMs ?? 0) + Math.max(0, at - since);
    since = undefined;
  }
  if (since === undefined || endedMs === undefined) return totalMs;
  return (totalMs ?? 0) + Math.max(0, endedMs - since);
}

/**
 * For a person who left and joined in one second: one who was present came back, unless that stay is known
 * to be that short; another passed through.
 */
function isBackAt(moment: number, stays: readonly Stay[], wasThere: boolean) {
  const known = stays.flatMap(({ joinedAt, leftAt }) => (joinedAt === moment ? (leftAt ?? []) : []));
  return known.length > 0 ? known.some((leftAt) => leftAt > moment) : wasThere;
}

function earliest(moments: readonly (number | undefined)[]) {
  return finite(Math.min(...moments.filter((moment) => moment !== undefined)));
}

function latest(moments: readonly (number | undefined)[]) {
  return finite(Math.max(...moments.filter((moment) => moment !== undefined)));
}

function smallest(texts: readonly (string | undefined)[]) {
  return texts.filter((text) => text !== undefined).toSorted()[0];
}

function compare(left = Number.POSITIVE_INFINITY, right = Number.POSITIVE_INFINITY) {
  return left === right ? 0 : left - right;
}

function compareText(left: object, right: object): number {
  const [one, other] = [JSON.stringify(left), JSON.stringify(right)];
  return one === other ? 0 : one < other ? -1 : 1;
}

function toDate(moment: number | undefined) {
  return moment === undefined ? undefined : new Date(moment);
}
