import { describe, expect, it } from "vitest";
import type { CallReport } from "../../../../lib/handle/phone-calls/call-report.ts";
import { occurrenceAt } from "../../../../lib/handle/phone-calls/summarise-call.ts";

const startMs = Date.UTC(2026, 2, 2, 8);
const minute = 60_000;
const at = (ms: number) => startMs + ms;

const started = (ms: number | undefined): CallReport => ({
  kind: "started",
  sessionKind: "meeting",
  at: ms === undefined ? undefined : at(ms),
});
const stay = (joined: number | undefined, left?: number): CallReport => ({
  kind: "stay",
  sessionKind: "meeting",
  uid: "ann",
  ...(joined !== undefined && { joinedAt: at(joined) }),
  ...(left !== undefined && { leftAt: at(left) }),
});
const ended = (ms: number, from?: number, joined: readonly number[] = []): CallReport => ({
  kind: "ended",
  sessionKind: "meeting",
  ...(from !== undefined && { startedAt: at(from) }),
  endedAt: at(ms),
  stays: joined.map((join) => ({ uid: "ann", joinedAt: at(join) })),
});

/** The indexes of the reports that belong to the occurrence at a time, and its start. */
function cut(reports: readonly CallReport[], moment?: number) {
  const found = occurrenceAt(reports, moment === undefined ? undefined : at(moment));
  const places = found.reports.map((report) => reports.indexOf(report)).toSorted((one, other) => one - other);
  return [found.fromMs === undefined ? undefined : found.fromMs - startMs, places];
}

describe("occurrenceAt", () => {
  it.each([
    ["that rang", [{ kind: "rang", at: at(0) }, started(0), ended(minute), started(90 * minute)]],
    [
      "whose session is a call's",
      [
        { kind: "started", sessionKind: "call", at: at(0) },
        { ...ended(minute), sessionKind: "call" },
        { kind: "started", sessionKind: "call", at: at(90 * minute) },
      ],
    ],
  ] as const)("treats a phone call %s as one occurrence", (_case, reports) => {
    expect(occurrenceAt(reports as readonly CallReport[], at(0))).toEqual({ reports, fromMs: undefined });
  });

  const inTurns = [ended(110 * minute), started(100 * minute), ended(10), started(0)];
  const pausedFor = (ms: number) => [stay(0), stay(0, 10 * minute), stay(10 * minute + ms)];
  const unnamed = [started(0), ended(minute), started(90 * minute), started(undefined)];

  it.each<[string, CallReport[], number | undefined, unknown[]]>([
    ["returns nothing without reports", [], undefined, [undefined, []]],
    ["returns nothing without reports for a given time", [], 5, [undefined, []]],
    ["returns the meeting that had begun by a time, for any order of reports", inTurns, 5, [0, [2, 3]]],
    ["returns it until the next start", inTurns, 100 * minute - 1, [0, [2, 3]]],
    ["returns the next meeting from its start on", inTurns, 100 * minute, [100 * minute, [0, 1]]],
    ["returns the last meeting long after it", inTurns, 999 * minute, [100 * minute, [0, 1]]],
    ["returns the last meeting without a time", inTurns, undefined, [100 * minute, [0, 1]]],
    ["returns the last meeting for a time before all", inTurns, -1, [100 * minute, [0, 1]]],
    ["treats starts one minute apart as one meeting", [started(0), started(minute)], undefined, [0, [0, 1]]],
    ["treats starts further apart as two", [started(0), started(minute + 1)], undefined, [minute + 1, [1]]],
    [
      "compares a start with the last start of the previous meeting",
      [started(0), started(minute), started(2 * minute)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "treats the start that an end names as a start",
      [started(0), ended(10 * minute, 5 * minute)],
      undefined,
      [5 * minute, [1]],
    ],
    [
      "does not begin a meeting with a start if no earlier start is known",
      [stay(0), started(90 * minute)],
      undefined,
      [0, [0, 1]],
    ],
    [
      "treats a return within five minutes as the same meeting",
      pausedFor(5 * minute),
      undefined,
      [0, [0, 1, 2]],
    ],
    ["treats a later return as a new meeting", pausedFor(5 * minute + 1), undefined, [15 * minute + 1, [2]]],
    [
      "treats no pause as an end while a later participant is present",
      [stay(0, 5 * minute), stay(6 * minute), stay(60 * minute)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "begins a new meeting with any join after a reported end",
      [started(0), ended(minute), stay(minute + 1)],
      undefined,
      [minute + 1, [2]],
    ],
    [
      "assigns a join at the time of the end to the ended meeting",
      [started(0), ended(minute), stay(minute)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "assigns a join before the end to it as well",
      [started(0), ended(minute), stay(minute - 1)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "assigns a leave that is reported after the end to it as well",
      [started(0), ended(minute), stay(undefined, 2 * minute)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "assigns a report without a time to the first meeting, whose name stays the same",
      unnamed,
      0,
      [0, [0, 1, 3]],
    ],
    ["assigns a report without a time to no later meeting", unnamed, undefined, [90 * minute, [2]]],
    [
      "takes a meeting's start from its participants' times",
      [ended(10 * minute, undefined, [3 * minute, 2 * minute])],
      undefined,
      [2 * minute, [0]],
    ],
    [
      "ignores the participants' times if the platform reports the start",
      [ended(10 * minute, 5 * minute, [2 * minute])],
      undefined,
      [5 * minute, [0]],
    ],
    ["names a meeting by its earliest time", [stay(3, 9), ended(10)], undefined, [3, [0, 1]]],
    ["names a meeting by a leave as well", [stay(undefined, 9), ended(10)], undefined, [9, [0, 1]]],
    ["gives a meeting without times no start", [started(undefined)], undefined, [undefined, [0]]],
  ])("%s", (_case, reports, moment, expected) => {
    expect(cut(reports, moment)).toEqual(expected);
  });
});
