import { describe, expect, it } from "vitest";
import { areTooMany, forgettable } from "../../../../lib/effects/health/breaker.ts";

const minute = 1000;
const startMs = minute * 60_000;
const burialsOf = (at: number, ...counts: readonly number[]) =>
  counts.map((count, index) => ({ minute: at, lane: `lane ${index}`, count }));

describe("areTooMany", () => {
  it.each([
    ["twenty in a minute", burialsOf(minute, 10, 10), false],
    ["one more", burialsOf(minute, 10, 10, 1), true],
    ["a hundred of one lane, which counts ten times at most", burialsOf(minute, 100), false],
    ["a hundred of one lane beside a few others", burialsOf(minute, 100, 5, 5), false],
    ["the same with one more", burialsOf(minute, 100, 5, 6), true],
    ["those of the next minute", burialsOf(minute + 1, 10, 10, 10), false],
    ["those of two minutes ago", burialsOf(minute - 2, 10, 10, 10), false],
  ])("decides at the beginning of a minute: %s", (_case, burials, expected) => {
    expect(areTooMany(burials, startMs)).toBe(expected);
  });

  it.each([
    ["all of it at the beginning", 0, 20, false],
    ["all of it and one more", 0, 21, true],
    ["half of it after half a minute", 30_000, 40, false],
    ["half of it and more", 30_000, 42, true],
    ["a tenth of it near the end", 54_000, 199, false],
  ])("counts the rest of the previous minute: %s", (_case, sinceMs, count, expected) => {
    const lanes = Array.from({ length: count }, () => 1);

    expect(areTooMany(burialsOf(minute - 1, ...lanes), startMs + sinceMs)).toBe(expected);
  });

  it("adds both minutes", () => {
    const burials = [...burialsOf(minute - 1, 10, 10), ...burialsOf(minute, 10)];

    expect(areTooMany(burials, startMs + 30_000)).toBe(false);
    expect(areTooMany([...burials, ...burialsOf(minute, 1)], startMs + 30_000)).toBe(true);
  });
});

it("forgettable returns those before the last minute", () => {
  const burials = [-3, -2, -1, 0].flatMap((before) => burialsOf(minute + before, 1));

  expect(forgettable(burials, startMs + 59_999).map(({ minute: at }) => at - minute)).toEqual([-3, -2]);
});

it("forgettable returns at most a hundred, as a table takes 4 KB of names in one update", () => {
  expect(forgettable(burialsOf(minute - 2, ...Array(500).fill(1)), startMs)).toHaveLength(100);
});
