import { describe, expect, it } from "vitest";
import { playKept } from "./scenarios/kept.ts";
import { hour, inTurn, isWithin, minute } from "./world/play.ts";

describe("a secret with a mistake", () => {
  it.each([
    ["a line break behind the key", { apiKey: "a-key-of-the-app\n" }],
    ["a region that does not exist", { region: "us-east-1" }],
  ])("buries nothing, and is mended by its correction: %s", async (_mistake, mistake) => {
    const { verdict } = await playKept({
      answered: 12,
      facts: inTurn({ messages: 12, conversations: 12, everyMs: minute }),
      secretMistakeAt: (nowMs) => (isWithin(nowMs, 0, 3 * hour) ? mistake : undefined),
    });

    expect(verdict.latenciesMs[0]).toBeGreaterThan(2 * hour);
    expect(verdict.latenciesMs.at(-1)).toBeLessThan(3 * hour + 16 * minute);
  });
});
