import { describe, expect, it } from "vitest";
import { unhurried } from "./seeds.ts";
import { playStruck, struckRun, turns } from "./strikes.ts";

/**
 * Ten messages of two conversations: before, in and after a pause of a trigger, and then of the app. The consumer's process is
 * struck at one edge.
 */
const times = [0, 0, 3_000, 3_500, 8_900, 9_100, 22_000, 23_000, 27_900, 28_100];
const run = struckRun(
  () => ({
    enabledTriggers: "reply,audit",
    pauses: [
      { target: { kind: "trigger", name: "reply" }, fromMs: 1_000, toMs: 9_000 },
      { target: { kind: "app" }, fromMs: 20_000, toMs: 28_000 },
    ],
    facts: times.map((atMs, number) => ({ id: `m${number}`, conversation: `g${number % 2}`, atMs })),
    untilMs: 30_000,
  }),
  times.length,
  ({ world: { diary } }) => (diary.audited.size === times.length ? [] : [`audited ${diary.audited.size}`]),
);

describe("a process that is struck at one of its steps while something is paused", unhurried, () => {
  it.each(turns)("breaks no promise, whichever step it is: $blow", async ({ turn, blow }) => {
    expect(await playStruck(run, (at) => [{ at, blow }], { turn, every: 40 })).toEqual([]);
  });
});
