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

/** Which reports, by their place in the list, belong to the occurrence of a moment, and when it began. */
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
  ] as const)("takes a phone call %s for one, whatever is known of it", (_case, reports) => {
    expect(occurrenceAt(reports as readonly CallReport[], at(0))).toEqual({ reports, fromMs: undefined });
  });

  const inTurns = [ended(110 * minute), started(100 * minute), ended(10), started(0)];
  const pausedFor = (ms: number) => [stay(0), stay(0, 10 * minute), stay(10 * minute + ms)];
  const unnamed = [started(0), ended(minute), started(90 * minute), started(undefined)];

  it.each<[string, CallReport[], number | undefined, unknown[]]>([
    ["knows nothing of nothing", [], undefined, [undefined, []]],
    ["knows nothing of nothing at a moment", [], 5, [undefined, []]],
    ["gives the meeting that had begun by a moment, in whatever order reports came", inTurns, 5, [0, [2, 3]]],
    ["gives it up to the next start", inTurns, 100 * minute - 1, [0, [2, 3]]],
    ["gives the next from its start on", inTurns, 100 * minute, [100 * minute, [0, 1]]],
    ["gives the last long after it", inTurns, 999 * minute, [100 * minute, [0, 1]]],
    ["gives the last where no moment is asked for", inTurns, undefined, [100 * minute, [0, 1]]],
    ["gives the last for a moment before them all", inTurns, -1, [100 * minute, [0, 1]]],
    ["takes starts one minute apart for one meeting", [started(0), started(minute)], undefined, [0, [0, 1]]],
    ["takes starts further apart for two", [started(0), started(minute + 1)], undefined, [minute + 1, [1]]],
    [
      "compares a start with the last one of the meeting before",
      [started(0), started(minute), started(2 * minute)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "takes the start that an end names for a start",
      [started(0), ended(10 * minute, 5 * minute)],
      undefined,
      [5 * minute, [1]],
    ],
    [
      "does not begin a meeting with a start where none is known of what came before",
      [stay(0), started(90 * minute)],
      undefined,
      [0, [0, 1]],
    ],
    [
      "takes a return within five minutes for the same meeting",
      pausedFor(5 * minute),
      undefined,
      [0, [0, 1, 2]],
    ],
    ["takes a later return for a new one", pausedFor(5 * minute + 1), undefined, [15 * minute + 1, [2]]],
    [
      "does not take a pause for an end while somebody who joined later is still there",
      [stay(0, 5 * minute), stay(6 * minute), stay(60 * minute)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "begins a new meeting with whoever joins after the platform said that it ended, however soon",
      [started(0), ended(minute), stay(minute + 1)],
      undefined,
      [minute + 1, [2]],
    ],
    [
      "puts who joins in the moment of the end into the meeting that ended",
      [started(0), ended(minute), stay(minute)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "puts who joins before the end there, too",
      [started(0), ended(minute), stay(minute - 1)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "puts a leave that is reported after the end there, too",
      [started(0), ended(minute), stay(undefined, 2 * minute)],
      undefined,
      [0, [0, 1, 2]],
    ],
    [
      "puts what names no moment into the first meeting, whose name stays the same",
      unnamed,
      0,
      [0, [0, 1, 3]],
    ],
    ["puts what names no moment into no later one", unnamed, undefined, [90 * minute, [2]]],
    [
      "lets people's own times say when a meeting began",
      [ended(10 * minute, undefined, [3 * minute, 2 * minute])],
      undefined,
      [2 * minute, [0]],
    ],
    [
      "lets them say nothing where the platform does",
      [ended(10 * minute, 5 * minute, [2 * minute])],
      undefined,
      [5 * minute, [0]],
    ],
    ["names a meeting by its earliest moment", [stay(3, 9), ended(10)], undefined, [3, [0, 1]]],
    ["names a meeting by a leave, too", [stay(undefined, 9), ended(10)], undefined, [9, [0, 1]]],
    ["names a meeting without moments by none", [started(undefined)], undefined, [undefined, [0]]],
  ])("%s", (_case, reports, moment, expected) => {
    expect(cut(reports, moment)).toEqual(expected);
  });
});
