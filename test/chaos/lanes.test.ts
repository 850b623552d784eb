import { describe, expect, it } from "vitest";
import { isNight } from "../helpers/by-day.ts";
import { playKept } from "./scenarios/kept.ts";
import { unhurried } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { answer, inTurn, minute, platformDuring, play, upTo, well } from "./world/play.ts";

/** Sends one message to each of so many conversations at once, with calls of 100 ms; gives the slowest answer in ms. */
async function slowestOf(lanes: number): Promise<number> {
  const { world } = await play({
    receptionOf: () => ({ kind: "well", ms: 100 }),
    facts: [
      { id: "warm-up", conversation: "g0", atMs: 0 },
      ...upTo(lanes, (lane) => ({ id: `m${lane}`, conversation: `g${lane}`, atMs: 10_000 })),
    ],
  });
  const { latenciesMs } = judge(world, (id) => id !== "warm-up");
  expect(latenciesMs).toHaveLength(lanes);
  // The model stores a message half-way through the call.
  return (latenciesMs.at(-1) ?? 0) + 50;
}

describe("lanes", unhurried, () => {
  it("run side by side: ten with a call of 100 ms take no 1.5 times one", async () => {
    expect(await slowestOf(10)).toBeLessThanOrEqual(1.5 * (await slowestOf(1)));
  });

  it("are all answered when every call takes 9 s: 40 conversations", async () => {
    const { verdict } = await playKept({
      answered: 120,
      facts: inTurn({ messages: 120, conversations: 40, everyMs: 50 }),
      hours: 2,
      receptionOf: () => ({ kind: "well", ms: 9_000 }),
    });

    expect(verdict.latenciesMs.at(-1)).toBeLessThan(2 * minute);
  });

  it("may take as long as they need: no event is tried twice for it", async () => {
    const { world } = await playKept({
      facts: inTurn({ messages: 40, conversations: 2, everyMs: 50 }),
      hours: 2,
      receptionOf: () => ({ kind: "well", ms: 9_000 }),
    });

    expect([...world.diary.begun.values()].filter((times) => times.length !== 1)).toEqual([]);
  });

  it("never lose their ticket, however often it is put off", async () => {
    const seen = new Set<string>();
    // Each event's first send is unclear, so that each costs its lane three looks: at night far more than a thousand hand-outs.
    await playKept({
      facts: inTurn({ messages: isNight ? 400 : 50, conversations: 1, everyMs: 100 }),
      hours: 72,
      receptionOf: ({ method, text }) => {
        if (method === "GET" || seen.has(text)) return well;
        seen.add(text);
        return answer(503);
      },
    });
  });

  it.runIf(isNight)("go on when the consumer's environments are replaced again and again", async () => {
    await playKept({
      facts: inTurn({ messages: 200, conversations: 20, everyMs: 5_000 }),
      receptionOf: platformDuring(0, 20 * minute, { kind: "silence" }),
      killAfterMs: (random) => (random() < 0.05 ? Math.floor(random() * 20_000) : undefined),
    });
  });
});
