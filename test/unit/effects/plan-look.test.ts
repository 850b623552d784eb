import { expect, it } from "vitest";
import { planLook } from "../../../lib/effects/perform.ts";

it.each([
  [-30, { kind: "wait", retryAtMs: 105_000 }],
  [0, { kind: "wait", retryAtMs: 105_000 }],
  [4.999, { kind: "wait", retryAtMs: 105_000 }],
  [5, { kind: "look", retryAtMs: 120_000 }],
  [19.999, { kind: "look", retryAtMs: 120_000 }],
  [20, { kind: "look", retryAtMs: 160_000 }],
  [59.999, { kind: "look", retryAtMs: 160_000 }],
  [60, { kind: "last look" }],
  [86_400, { kind: "last look" }],
])("planLook decides %d s after the moment at which the effect may have happened", (seconds, look) => {
  expect(planLook(100_000, 100_000 + seconds * 1000)).toEqual(look);
});
