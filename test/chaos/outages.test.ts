import { describe, expect, it } from "vitest";
import { epochMs } from "../../local/testing/simulated/clock.ts";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { kept, playKept } from "./scenarios/kept.ts";
import { outages, runOutage } from "./scenarios/outage.ts";
import { seed, unhurried } from "./seeds.ts";
import { answerTimes } from "./world/judge.ts";
import {
  answer,
  hour,
  inTurn,
  isWithin,
  minute,
  platformDuring,
  play,
  type SentFact,
  tablesDuring,
  upTo,
} from "./world/play.ts";

describe("an outage of an app's platform", unhurried, () => {
  // `npm run chaos` runs all of them for two hours.
  const kinds = [
    "silence",
    "429 with Retry-After",
    "a key that is refused",
    "a proxy's page with 403",
  ] as const;
  it.each(firstByDay(kinds, 2))("costs time and few requests, but no event: %s", async (name) => {
    const minutes = 10;
    const many = { eventsPerSecond: 0.1, conversations: 30 };
    const figures = await runOutage({ seed, outage: outages[name], minutes, ...many });

    expect(figures).toMatchObject(kept);
    expect(figures.firstAnswerMinutes).toBeLessThanOrEqual(15);
    expect(figures.drainedMinutes).toBeLessThanOrEqual(30);
    // One probe in 30 s; the others belong to the first minute, before the breaker opens.
    expect(figures.requests).toBeLessThanOrEqual(2 * minutes + 160);
  });

  it("of 50 minutes loses no reply of one conversation: its backlog is not taken for a loop", async () => {
    const calm = { eventsPerSecond: 1 / 60, conversations: 1, enabledTriggers: "answer" };
    const figures = await runOutage({ seed, outage: outages["answers 503"], minutes: 50, ...calm });

    expect(figures).toMatchObject({ ...kept, answered: 70 });
  });

  it.runIf(isNight)(
    "delays no conversation behind two with 1,200 events each, in two concurrent batches",
    async () => {
      const deep = upTo(2_400, (n) => ({
        id: `m${n}`,
        conversation: `deep-${n % 2}`,
        atMs: minute + n * 160,
      }));
      const shallow = upTo(60, (n) => ({
        id: `s${n}`,
        conversation: `shallow-${n}`,
        atMs: 9 * minute + n * 100,
      }));
      const endsAt = 15 * minute;
      const { world } = await playKept({
        answered: 2_460,
        facts: [...deep, ...shallow],
        maximumConcurrency: 2,
        receptionOf: platformDuring(0, endsAt, outages["answers 503"]),
      });

      const minutesOf = (prefix: string) => {
        const answers = [...answerTimes(world)].filter(([id]) => id.startsWith(prefix));
        return (Math.max(...answers.map(([, atMs]) => atMs)) - endsAt) / minute;
      };
      expect(minutesOf("m")).toBeGreaterThan(1.4);
      expect(minutesOf("s")).toBeLessThan(0.8);
    },
  );

  it("of 20 minutes uses up no try of a reply that follows a look-up", async () => {
    // The look-up takes the whole time of each attempt, so that the reply after it never begins.
    const { verdict } = await playKept({
      answered: 1,
      facts: [{ id: "m0", conversation: "g0", atMs: 0 }],
      enabledTriggers: "look,reply",
      receptionOf: platformDuring(0, 20 * minute, { kind: "silence" }),
    });

    expect(verdict.latenciesMs[0]).toBeLessThan(35 * minute);
  });

  it.runIf(isNight)(
    "that never ends dead-letters one event per conversation and maximum wait, with its cause",
    async () => {
      const { verdict } = await play({
        facts: inTurn({ messages: 8, conversations: 4, everyMs: minute }),
        hours: 5,
        settings: { PATIENCE_HOURS: "1" },
        receptionOf: () => answer(503),
      });

      const { dead, lost } = verdict;
      expect(lost).toEqual([]);
      expect(dead.map(({ factId }) => factId).toSorted()).toEqual(
        [0, 1, 2, 3, 4, 5, 6, 7].map((n) => `m${n}`),
      );
      expect(new Set(dead.map(({ reason }) => reason))).toEqual(new Set(["patience"]));
      expect(dead[0]?.cause).toContain("503");
      // The second of a conversation begins to wait when the first is dead-lettered.
      for (const { factId, atMs } of dead) {
        const waits = factId < "m4" ? 1 : 2;
        expect(atMs).toBeGreaterThanOrEqual(waits * hour);
        expect(atMs).toBeLessThan(waits * 1.4 * hour);
      }
    },
  );
});

/** A message of each conversation after two minutes, and another one at `secondMs`. */
function twoEach(conversations: number, secondMs: number): SentFact[] {
  return upTo(conversations, (n) => [
    { id: `first-${n}`, conversation: `g${n}`, atMs: 2 * minute },
    { id: `second-${n}`, conversation: `g${n}`, atMs: secondMs },
  ]).flat();
}

describe("an outage of the consumer's own AWS services", unhurried, () => {
  const facts = inTurn({
    messages: isNight ? 240 : 60,
    conversations: 30,
    everyMs: isNight ? 5_000 : 20_000,
  });
  let onCount: (name: string) => void;

  it.each(firstByDay(["silence", "not connected", "throttled"] as const))(
    "leaves events in the queue while the tables are out for 30 minutes: %s",
    async (fate) => {
      const { verdict } = await playKept({ facts, fateOf: tablesDuring(5 * minute, 35 * minute, fate) });

      expect(verdict.latenciesMs.at(-1)).toBeLessThan(45 * minute);
    },
  );

  it.each(["chaos-effects", "chaos-lanes"])(
    "reports conversations that wait for more than an hour while %s fails",
    async (table) => {
      const countedAt: number[] = [];
      await playKept({
        answered: 4,
        facts: (world) => {
          onCount = (name) => {
            if (name === "LanesWaitLong") countedAt.push(world.clock.now() - epochMs);
          };
          return inTurn({ messages: 4, conversations: 4, everyMs: minute });
        },
        onCount: (name) => onCount(name),
        fateOf: (operation, body, nowMs) =>
          operation.startsWith("dynamodb.") && body.includes(table) && isWithin(nowMs, 0, 3 * hour)
            ? "failed"
            : "answered",
      });

      expect(countedAt.at(0)).toBeGreaterThan(hour);
      expect(countedAt.at(0)).toBeLessThan(1.5 * hour);
      expect(countedAt.at(-1)).toBeGreaterThan(2.7 * hour);
      // Once per minute and process: each of the four conversations may have its own.
      expect(countedAt.length).toBeLessThanOrEqual(4 * 120);
    },
  );

  it("leaves events in the queue while it accepts no tickets", async () => {
    await playKept({
      facts,
      receptionOf: platformDuring(5 * minute, 35 * minute, { kind: "silence" }),
      fateOf: (operation, body, nowMs) =>
        operation.startsWith("sqs.") &&
        body.includes("parked-lanes") &&
        isWithin(nowMs, 5 * minute, 35 * minute)
          ? "silence"
          : "answered",
    });
  });

  it("keeps the order if nothing runs for hours while lanes are parked", async () => {
    await playKept({
      facts: twoEach(40, 150 * minute + 1_000),
      receptionOf: platformDuring(minute, 6 * minute, { kind: "silence" }),
      fateOf: tablesDuring(6 * minute, 150 * minute, "not connected"),
    });
  });

  it("keeps the order if no consumer runs for thirteen days while lanes are parked", async () => {
    const standstill = { fromMs: 6 * minute, toMs: 13 * 24 * hour };
    await playKept({
      answered: 8,
      // Too few to open a breaker, which would hold back the later events, too.
      facts: twoEach(4, standstill.toMs - minute),
      hours: 15 * 24,
      standstill,
      receptionOf: platformDuring(0, 6 * minute, { kind: "silence" }),
    });
  });

  it("waits for a secret that cannot be read for 20 minutes", async () => {
    await playKept({
      facts: inTurn({ messages: 60, conversations: 10, everyMs: 10_000 }),
      readsSecret: (nowMs) => !isWithin(nowMs, 0, 20 * minute),
    });
  });

  it("dead-letters nothing for a mistake in a secret, and ends with its correction", async () => {
    const { verdict } = await playKept({
      answered: 12,
      facts: inTurn({ messages: 12, conversations: 12, everyMs: minute }),
      secretMistakeAt: (nowMs) =>
        isWithin(nowMs, 0, 3 * hour) ? { apiKey: "a-key-of-the-app\n" } : undefined,
    });

    expect(verdict.latenciesMs[0]).toBeGreaterThan(2 * hour);
    expect(verdict.latenciesMs.at(-1)).toBeLessThan(3 * hour + 16 * minute);
  });
});
