import { describe, expect, it } from "vitest";
import { firstByDay, isNight } from "../helpers/by-day.ts";
import { playKept } from "./scenarios/kept.ts";
import {
  answer,
  hour,
  inTurn,
  isWithin,
  minute,
  platformDuring,
  play,
  tablesDuring,
  well,
} from "./world/play.ts";

const day = 24 * hour;
const messages = isNight ? 200 : 60;
const facts = inTurn({ messages, conversations: isNight ? 40 : 12, everyMs: minute });

describe("a consumer that is switched off for three days", () => {
  const kinds = [
    ["whose events arrived meanwhile", 0],
    ["whose lanes were parked before", hour / 2],
  ] as const;
  it.each(firstByDay(kinds))(
    "dead-letters nothing if the platform is out for half an hour after it is switched on: %s",
    async (_, fromMs) => {
      await playKept({
        answered: messages,
        facts,
        hours: 6 * 24,
        standstill: { fromMs, toMs: 3 * day },
        receptionOf: platformDuring(0, 3 * day + hour / 2, answer(503)),
      });
    },
  );

  it("dead-letters events that fail for the maximum wait after it was switched on", async () => {
    const { verdict } = await play({
      facts: inTurn({ messages: 10, conversations: 10, everyMs: minute }),
      hours: 4 * 24,
      settings: { PATIENCE_HOURS: "2" },
      standstill: { fromMs: 0, toMs: 3 * day },
      receptionOf: () => answer(503),
    });

    const { dead, lost, stranded } = verdict;
    expect({ dead: dead.length, lost, stranded }).toEqual({ dead: 10, lost: [], stranded: [] });
    expect(Math.min(...dead.map(({ atMs }) => atMs))).toBeGreaterThan(3 * day + 2 * hour);
    expect(Math.max(...dead.map(({ atMs }) => atMs))).toBeLessThan(3 * day + 3 * hour);
  });
});

describe("tables that are out for 26 hours", () => {
  it.runIf(isNight)("dead-letter no event that meets a failure afterwards", async () => {
    await playKept({
      answered: 20,
      facts: inTurn({ messages: 20, conversations: 10, everyMs: 20_000 }),
      hours: 6 * 24,
      fateOf: tablesDuring(130_000, 26 * hour, "not connected"),
      receptionOf: (_, nowMs) =>
        isWithin(nowMs, 0, 3 * minute) || isWithin(nowMs, 25 * hour, 26.5 * hour) ? answer(503) : well,
    });
  });
});
