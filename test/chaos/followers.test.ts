import { describe, expect, it } from "vitest";
import { isNight } from "../helpers/by-day.ts";
import { unhurried } from "./seeds.ts";
import { answer, hour, minute, play, upTo, well } from "./world/play.ts";

const patienceHours = isNight ? 24 : 1;

describe("the events behind one that is dead-lettered after the maximum wait", unhurried, () => {
  it("survive a 503 each, when they have waited for as long", async () => {
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
