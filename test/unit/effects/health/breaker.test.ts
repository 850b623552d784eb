import { expect, it } from "vitest";
import { judgeOthers } from "../../../../lib/effects/health/breaker.ts";

const atFailure = { ok: 10, bad: 5 };

it.each([
  ["no others tried", { ok: 10, bad: 5 }, "unknown"],
  ["four others succeeded", { ok: 14, bad: 5 }, "unknown"],
  ["five others succeeded", { ok: 15, bad: 5 }, "healthy"],
  ["five others failed", { ok: 10, bad: 10 }, "unhealthy"],
  ["nineteen of twenty others succeeded", { ok: 29, bad: 6 }, "healthy"],
  ["eighteen of nineteen others succeeded", { ok: 28, bad: 6 }, "unhealthy"],
  ["eight others succeeded, after a reset", { ok: 8, bad: 0 }, "healthy"],
  ["eight others failed, after a reset", { ok: 0, bad: 8 }, "unhealthy"],
  ["half of the others failed", { ok: 15, bad: 10 }, "unhealthy"],
])("judgeOthers judges by the requests after the failure: %s", (_case, now, expected) => {
  expect(judgeOthers(atFailure, now)).toBe(expected);
});
