import { describe, expect, it } from "vitest";
import type { CallFact } from "../../../../lib/handle/phone-calls/call-fact.ts";
import { occurrenceAt } from "../../../../lib/handle/phone-calls/occurrences.ts";

const startMs = Date.UTC(2026, 2, 2, 8);
const minute = 60_000;
const at = (ms: number) => startMs + ms;

const started = (ms: number | undefined): CallFact => ({
  kind: "started",
  sessionKind: "meeting",
  at: ms === undefined ? undefined : at(ms),
});
const stay = (joined: number | undefined, left?: number): CallFact => ({
  kind: "stay",
  sessionKind: "meeting",
  uid: "ann",
  ...(joined !== undefined && { joinedAt: at(joined) }),
  ...(left !== undefined && { leftAt: at(left) }),
});
const ended = (ms: number, from?: number, joined: readonly number[] = []): CallFact => ({
  kind: "ended",
  sessionKind: "meeting",
  ...(from !== undefined && { startedAt: at(from) }),
  endedAt: at(ms),
  stays: joined.map((join) => ({ uid: "ann", joinedAt: at(join) })),
});

/** Which facts, by their place in the list, belong to the occurrence of each moment. */
function cut(facts: readonly CallFact[], moments: readonly (number | undefined)[]) {
  return moments.map((moment) => {
    const found = occurrenceAt(facts, moment === undefined ? undefined : at(moment));
    return {
      from: found.fromMs === undefined ? undefined : found.fromMs - startMs,
      facts: found.facts.map((fact) => facts.indexOf(fact)).toSorted((one, other) => one - other),
    };
  });
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
  ] as const)("takes a phone call %s for one, whatever is known of it", (_case, facts) => {
    expect(occurrenceAt(facts as readonly CallFact[], at(0))).toEqual({ facts, fromMs: undefined });
  });

  it("knows nothing of nothing", () => {
    expect(occurrenceAt([], undefined)).toEqual({ facts: [], fromMs: undefined });
    expect(occurrenceAt([], at(5))).toEqual({ facts: [], fromMs: undefined });
  });

  it("gives the meeting that a moment belongs to: the last one that had begun by then", () => {
    const facts = [started(0), ended(10), started(100 * minute), ended(110 * minute)];

    const [first, atStart, before, last] = cut(facts, [5, 100 * minute, 100 * minute - 1, 999 * minute]);

    expect(first).toEqual({ from: 0, facts: [0, 1] });
    expect(atStart).toEqual({ from: 100 * minute, facts: [2, 3] });
    expect(before).toEqual(first);
    expect(last).toEqual(atStart);
  });

  it("gives the last meeting where no moment is asked for, or one before them all", () => {
    const facts = [started(0), ended(10), started(100 * minute)];

    const [any, early] = cut(facts, [undefined, -1]);

    expect(any).toEqual({ from: 100 * minute, facts: [2] });
    expect(early).toEqual(any);
  });

  it("does not mind in which order the facts came", () => {
    const facts = [ended(110 * minute), started(100 * minute), ended(10), started(0)];

    expect(cut(facts, [5])).toEqual([{ from: 0, facts: [2, 3] }]);
  });

  it.each([
    ["one minute apart are one meeting", minute, [0, 1]],
    ["further apart are two", minute + 1, [1]],
  ])("starts that are %s", (_case, ms, expected) => {
    expect(cut([started(0), started(ms)], [undefined])).toMatchObject([{ facts: expected }]);
  });

  it("compares a start with the last one of the meeting before", () => {
    expect(cut([started(0), started(minute), started(2 * minute)], [undefined])).toMatchObject([
      { facts: [0, 1, 2] },
    ]);
  });

  it("takes the start that an end names for a start", () => {
    const facts = [started(0), ended(10 * minute, 5 * minute)];

    expect(cut(facts, [undefined])).toEqual([{ from: 5 * minute, facts: [1] }]);
  });

  it("does not begin a meeting with a start where none is known of what came before", () => {
    expect(cut([stay(0), started(90 * minute)], [undefined])).toMatchObject([{ facts: [0, 1] }]);
  });

  it.each([
    ["up to five minutes later is in the same meeting", 5 * minute, [0, 1, 2]],
    ["later is in a new one", 5 * minute + 1, [2]],
  ])("who comes back %s after everybody left", (_case, pauseMs, expected) => {
    const facts = [stay(0), stay(0, 10 * minute), stay(10 * minute + pauseMs)];

    expect(cut(facts, [undefined])).toMatchObject([{ facts: expected }]);
  });

  it("does not take a pause for an end while somebody who joined later is still there", () => {
    const facts = [stay(0, 5 * minute), stay(6 * minute), stay(60 * minute)];

    expect(cut(facts, [undefined])).toMatchObject([{ facts: [0, 1, 2] }]);
  });

  it("begins a new meeting with whoever joins after the platform said that it ended, however soon", () => {
    const facts = [started(0), ended(minute), stay(minute + 1)];

    expect(cut(facts, [undefined])).toEqual([{ from: minute + 1, facts: [2] }]);
  });

  it.each([
    ["the moment of the end", minute],
    ["before it", minute - 1],
  ])("puts who joins at %s into the meeting that ended", (_case, ms) => {
    expect(cut([started(0), ended(minute), stay(ms)], [undefined])).toMatchObject([{ facts: [0, 1, 2] }]);
  });

  it("puts a leave that is reported after the end into the meeting that ended", () => {
    const facts = [started(0), ended(minute), stay(undefined, 2 * minute)];

    expect(cut(facts, [undefined])).toEqual([{ from: 0, facts: [0, 1, 2] }]);
  });

  it("puts what names no moment into the first meeting, whose name stays the same", () => {
    const facts = [started(0), ended(minute), started(90 * minute), started(undefined)];

    expect(cut(facts, [0, undefined])).toEqual([
      { from: 0, facts: [0, 1, 3] },
      { from: 90 * minute, facts: [2] },
    ]);
  });

  it("lets people's own times say when a meeting began, only where the platform does not", () => {
    const silent = [ended(10 * minute, undefined, [3 * minute, 2 * minute])];
    const told = [ended(10 * minute, 5 * minute, [2 * minute])];

    expect(cut(silent, [undefined])).toMatchObject([{ from: 2 * minute }]);
    expect(cut(told, [undefined])).toMatchObject([{ from: 5 * minute }]);
  });

  it("names a meeting by its earliest moment", () => {
    expect(cut([stay(3, 9), ended(10)], [undefined])).toMatchObject([{ from: 3 }]);
    expect(cut([stay(undefined, 9), ended(10)], [undefined])).toMatchObject([{ from: 9 }]);
    expect(cut([started(undefined)], [undefined])).toEqual([{ from: undefined, facts: [0] }]);
  });
});
