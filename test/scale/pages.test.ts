import { describe, expect, it } from "vitest";
import { unhurried } from "../chaos/seeds.ts";
import { countCalls } from "./count-calls.ts";
import { agrees, fillPage } from "./page.ts";
import { billOf } from "./prices.ts";

describe("docs/cost.md", unhurried, () => {
  it("asks for no lane and writes no metric while all is well", async () => {
    const counted = await countCalls({ batch: 5, answered: 0.5, webhooks: 40 });

    expect(counted).toMatchObject({ batch: 5, laneReads: 0, otherReads: 0, metricLines: 0, logLines: 1 });
  });

  it("keeps a million webhooks at b = 5 below 3.36 USD", async () => {
    const counted = await countCalls({ batch: 5, answered: 0.5, webhooks: 40 });

    expect(billOf(counted).sum).toBeLessThan(3.36);
  });
});

describe("fillPage", () => {
  const page = "a\n<!-- made: one -->\nold\n<!-- end -->\nb";

  it("puts what was made between its marks, and can be repeated", () => {
    const filled = fillPage(page, { one: "new" });

    expect(filled).toBe("a\n<!-- made: one -->\n\nnew\n\n<!-- end -->\nb");
    expect(fillPage(filled, { one: "new" })).toBe(filled);
  });

  it("throws where the page has no such place", () => {
    expect(() => fillPage(page, { two: "new" })).toThrow("two");
  });
});

describe("agrees", () => {
  it.each([
    ["| reads | 1.00 M |", "| reads | 1.02 M |", true],
    ["| reads | 1.00 M |", "| reads | 1.20 M |", false],
    ["| reads | 1.00 M |", "| writes | 1.00 M |", false],
    ["35,300 and 0.00", "34,900 and 0.02", true],
    ["35,300", "35,300 and 1", false],
  ])("tells whether two pages say the same: %j and %j", (one, other, expected) => {
    expect(agrees(one, other, 0.05)).toBe(expected);
  });
});
