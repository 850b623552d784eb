import { expect, it } from "vitest";
import { outcomeFields, readOutcome, summarize } from "../../../lib/effects/outcomes.ts";

const of = (trigger: string, ...outcome: Parameters<typeof outcomeFields>) => ({
  trigger,
  ...outcomeFields(...outcome),
});
const acted = of("reply", "acted", { effects: ["reply"] });
const failed = of("prices", "failed", { cause: "no price" });
const unfit = of("greet", "condition", { condition: "group", wanted: ["a", "b"] });

it.each([
  ["a failure before an action", [acted, failed, unfit], "prices: It failed: no price."],
  ["an action before a condition", [unfit, acted], "reply: It acted: reply."],
  [
    "all actions",
    [acted, unfit, of("", "woke-flow", { flows: ["a", "b"] })],
    "reply: It acted: reply. It woke the flows a, b.",
  ],
  ["why no trigger acted", [unfit], "greet: The condition “group” is not met: it must be “a” or “b”."],
  ["that there is no trigger", [], "No trigger of this stage handles such events."],
])("summarize names %s", (_what, all, why) => {
  expect(summarize(all).why).toBe(why);
});

it("readOutcome reads what outcomeFields wrote, and no other name", () => {
  const { outcome, why } = acted;

  expect(readOutcome({ outcome, why, step: "message_sent reply" })).toEqual({ outcome, why });
  expect(readOutcome({ outcome: "toString", why })).toBeUndefined();
});

it("outcomeFields treats an unknown reason as no action", () => {
  const invented: { reason: never } = JSON.parse('{"reason":"bored"}');

  expect(outcomeFields(invented.reason)).toEqual({
    outcome: "no-action",
    why: "It ran and did nothing: bored.",
  });
});
