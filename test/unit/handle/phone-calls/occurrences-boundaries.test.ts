import { describe, expect, it } from "vitest";
import type { CallFact } from "../../../../lib/handle/phone-calls/call-fact.ts";
import { occurrenceAt } from "../../../../lib/handle/phone-calls/occurrences.ts";

const meeting = { sessionKind: "meeting" } as const;
const started = (at: number): CallFact => ({ kind: "started", ...meeting, at });
const stayed = (joinedAt: number, leftAt: number): CallFact => ({
  kind: "stay",
  ...meeting,
  uid: "ann",
  joinedAt,
  leftAt,
});
const ended = (startedAt: number, endedAt: number): CallFact => ({
  kind: "ended",
  ...meeting,
  startedAt,
  endedAt,
  stays: [],
});
const minute = 60_000;

/** When the occurrence of a moment began, and how many of the facts are its. */
function occurrence(facts: readonly CallFact[], atMs: number | undefined) {
  const found = occurrenceAt(facts, atMs);
  return { fromMs: found.fromMs, facts: found.facts.length };
}

describe("occurrenceAt", () => {
  it("takes whoever comes back five minutes after everybody left for the same meeting, and no later", () => {
    const before = stayed(0, minute);

    expect(occurrence([before, stayed(6 * minute, 7 * minute)], undefined)).toEqual({ fromMs: 0, facts: 2 });
    expect(occurrence([before, stayed(6 * minute + 1, 7 * minute)], undefined)).toEqual({
      fromMs: 6 * minute + 1,
      facts: 1,
    });
  });

  it("takes two starts a minute apart for one meeting's, and no further", () => {
    expect(occurrence([started(0), started(minute)], undefined)).toEqual({ fromMs: 0, facts: 2 });
    expect(occurrence([started(0), started(minute + 1)], undefined)).toEqual({
      fromMs: minute + 1,
      facts: 1,
    });
  });

  it("gives the meeting that begins at the moment, and before that the one that was before", () => {
    const facts = [ended(0, minute), ended(10 * minute, 11 * minute)];

    expect(occurrence(facts, 10 * minute)).toEqual({ fromMs: 10 * minute, facts: 1 });
    expect(occurrence(facts, 10 * minute - 1)).toEqual({ fromMs: 0, facts: 1 });
  });

  it("takes who joins at the moment of the end for one of that meeting, and who joins later for another's", () => {
    const before = ended(0, minute);

    expect(occurrence([before, stayed(minute, 2 * minute)], undefined)).toEqual({ fromMs: 0, facts: 2 });
    expect(occurrence([before, stayed(minute + 1, 2 * minute)], undefined)).toEqual({
      fromMs: minute + 1,
      facts: 1,
    });
  });
});
