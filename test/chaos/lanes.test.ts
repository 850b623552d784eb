import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { createRandom } from "../../local/testing/simulated/random.ts";
import { isNight } from "../helpers/by-day.ts";
import { kept, keptOf, playKept } from "./scenarios/kept.ts";
import { seed, unhurried } from "./seeds.ts";
import { judge, percentile } from "./world/judge.ts";
import { answer, hour, inTurn, minute, platformDuring, play, upTo, well } from "./world/play.ts";

describe("lanes", unhurried, () => {
  it("are all answered if every call takes 9 s: 40 conversations", async () => {
    const { verdict } = await playKept({
      answered: 120,
      facts: inTurn({ messages: 120, conversations: 40, everyMs: 50 }),
      hours: 2,
      receptionOf: () => ({ kind: "well", ms: 9_000 }),
    });

    expect(verdict.latenciesMs.at(-1)).toBeLessThan(2 * minute);
  });

  it("may be slow without a second try of an event", async () => {
    const { world } = await playKept({
      facts: inTurn({ messages: 40, conversations: 2, everyMs: 50 }),
      hours: 2,
      receptionOf: () => ({ kind: "well", ms: 9_000 }),
    });

    expect([...world.diary.begun.values()].filter((times) => times.length !== 1)).toEqual([]);
  });

  it("keep their ticket, however often it is postponed", async () => {
    const seen = new Set<string>();
    // Each event's first send is unclear and costs three look-ups: at night far over a thousand receives.
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

  it.runIf(isNight)("continue while the consumer's environments are replaced again and again", async () => {
    await playKept({
      facts: inTurn({ messages: 200, conversations: 20, everyMs: 5_000 }),
      receptionOf: platformDuring(0, 20 * minute, { kind: "silence" }),
      killAfterMs: (random) => (random() < 0.05 ? Math.floor(random() * 20_000) : undefined),
    });
  });
});

describe("a conversation whose requests take 9 s", () => {
  it("does not delay the others of its batch", async () => {
    const lanes = upTo(9, (lane) => `g${lane}`);
    const { world, verdict } = await play({
      receptionOf: ({ receiver }) => (receiver === "slow" ? { kind: "well", ms: 9_000 } : well),
      facts: upTo(60, (round) => [
        { id: `slow-${round}`, conversation: "slow", atMs: round * 12_000 },
        ...lanes.flatMap((conversation) => [
          { id: `first-${round}-${conversation}`, conversation, atMs: round * 12_000 },
          { id: `second-${round}-${conversation}`, conversation, atMs: round * 12_000 + 1_000 },
        ]),
      ]).flat(),
    });

    const seconds = judge(world, (id) => id.startsWith("second-"));
    expect(keptOf(verdict)).toEqual(kept);
    expect(seconds.answered).toBe(540);
    expect(percentile(seconds.latenciesMs, 0.5)).toBeLessThan(2_000);
  });
});

describe("a parked lane that a thawed process takes from its new owner", () => {
  it("keeps a ticket", async () => {
    let isStruck = false;
    const { verdict } = await play({
      facts: [0, 100, 95_000].map((atMs, number) => ({ id: `m${number}`, conversation: "g", atMs })),
      receptionOf: (_, nowMs) =>
        nowMs < epochMs + 3_000 ? { kind: "answer", status: 503 } : { kind: "well", ms: 9_000 },
      // The lane's first new owner stands still before its token reaches the table.
      strikeAt: (operation, _process, _random, nowMs) => {
        if (isStruck || operation !== "dynamodb.UpdateItem" || nowMs < epochMs + 4_000) return "none";
        isStruck = true;
        return "frozen before";
      },
    });

    expect(isStruck).toBe(true);
    expect(verdict).toMatchObject({ ...kept, answered: 3 });
  });
});

const patienceHours = isNight ? 24 : 1;

describe("events behind one that is dead-lettered after the maximum wait", unhurried, () => {
  it("survive a 503 each after the same wait", async () => {
    const failed = new Set<string>();
    const {
      verdict: { dead, ...verdict },
    } = await play({
      facts: [
        { id: "poison", conversation: "g", atMs: 0 },
        ...upTo(10, (n) => ({ id: `follower-${n}`, conversation: "g", atMs: (n + 1) * minute })),
      ],
      hours: 2 * patienceHours,
      settings: { PATIENCE_HOURS: String(patienceHours) },
      receptionOf: ({ method, text }) => {
        if (method !== "POST" || (text !== "re: poison" && failed.has(text))) return well;
        failed.add(text);
        return answer(503);
      },
    });

    expect(dead).toMatchObject([{ factId: "poison", reason: "patience" }]);
    expect(verdict).toMatchObject({ answered: 10, lost: [], doubled: [], outOfOrder: [], stranded: [] });
    expect(dead[0]?.atMs).toBeLessThan((patienceHours + 0.5) * hour);
    expect(verdict.latenciesMs.at(-1)).toBeLessThan((patienceHours + 0.5) * hour);
  });
});

/** An incompressible text, so that its event takes several items of the table. */
function incompressible(seed: number, length: number): string {
  const random = createRandom(seed);
  return Array.from({ length }, () => String.fromCharCode(33 + Math.floor(random() * 90))).join("");
}

describe("an event that takes several items of the lanes table", () => {
  it("does not block the events behind it, whichever removal the process crashes at", async () => {
    const text = incompressible(seed, 560_000);
    const figures: object[] = [];
    let isStruck = true;
    for (let strikeAfter = 1; isStruck; strikeAfter += 1) {
      isStruck = false;
      let removals = 0;
      const { verdict } = await play({
        facts: [
          { id: "large", conversation: "g", atMs: 0, text },
          ...upTo(5, (n) => ({ id: `behind-${n}`, conversation: "g", atMs: (n + 1) * 1_000 })),
        ],
        receptionOf: platformDuring(0, 20_000, answer(503)),
        strikeAt: (operation) => {
          if (operation !== "dynamodb.DeleteItem") return "none";
          removals += 1;
          if (removals !== strikeAfter) return "none";
          isStruck = true;
          return "killed after";
        },
      });
      figures.push({ answered: verdict.answered, ...keptOf(verdict) });
    }

    expect(figures).toEqual(figures.map(() => ({ answered: 6, ...kept })));
    // Each part of the large event, the five behind it and the lane, and one run without a crash.
    expect(figures.length).toBeGreaterThanOrEqual(9);
  });
});
