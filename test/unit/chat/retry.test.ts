import { describe, expect, it } from "vitest";
import { decideRetry, type Outcome, type RetryFacts, readRetryAfterMs } from "../../../lib/chat/retry.ts";

const policy = { maxTries: 4, baseDelayMs: 250, maxDelayMs: 8_000 };
const answer = (status: number, retryAfterMs?: number): Outcome => ({ kind: "answer", status, retryAfterMs });
const silence = (phase: "wait" | "connect" | "answer" | "body", reason = "TIMEOUT"): Outcome => ({
  kind: "silence",
  phase,
  reason,
});
const decide = (facts: Partial<RetryFacts>) =>
  decideRetry({
    method: "GET",
    outcome: answer(503),
    failures: 1,
    rateLimited: 0,
    hasCheck: false,
    freeTryUsed: false,
    remainingMs: Number.POSITIVE_INFINITY,
    random: 1,
    policy,
    ...facts,
  });

describe("decideRetry", () => {
  it.each([
    ["GET", answer(500), true],
    ["PUT", answer(500), true],
    ["DELETE", answer(500), true],
    ["POST", answer(500), false],
    ["PATCH", answer(500), false],
    ["POST", answer(429), true],
    ["POST", silence("connect"), true],
    ["POST", silence("wait"), true],
    ["POST", silence("answer"), false],
    ["POST", silence("body"), false],
    ["GET", silence("answer"), true],
    ["GET", silence("body"), true],
    ["GET", answer(499), false],
    ["GET", answer(404), false],
    ["GET", answer(599), true],
  ])("retries %s after %j: %s", (method, outcome, again) => {
    expect(decide({ method, outcome }).again).toBe(again);
  });

  it.each([
    ["POST", answer(500), true],
    ["POST", answer(429), false],
    ["POST", silence("connect"), false],
    ["POST", silence("answer", "ECONNRESET"), true],
    ["GET", answer(500), false],
  ])("runs the caller's check before it retries %s after %j: %s", (method, outcome, checkFirst) => {
    expect(decide({ method, outcome, hasCheck: true })).toMatchObject({ again: true, checkFirst });
  });

  it.each([
    ["the third failure is retried", { failures: 3 }, true],
    ["the fourth is not retried", { failures: 4 }, false],
    ["a client with one try retries nothing", { policy: { ...policy, maxTries: 1 } }, false],
    [
      "a client with one try does not retry a 429",
      { policy: { ...policy, maxTries: 1 }, outcome: answer(429), failures: 0, rateLimited: 1 },
      false,
    ],
    ["a client with two tries retries once", { policy: { ...policy, maxTries: 2 } }, true],
    ["the thirtieth 429 is retried", { outcome: answer(429), rateLimited: 30 }, true],
    ["the next 429 is not retried", { outcome: answer(429), rateLimited: 31 }, false],
    ["a 429 that asks for two minutes is retried", { outcome: answer(429, 120_000) }, true],
    ["a 429 that asks for more is not retried", { outcome: answer(429, 120_001) }, false],
    ["a 503 that asks for two minutes is retried", { outcome: answer(503, 120_000) }, true],
    ["a 503 that asks for more is not retried", { outcome: answer(503, 120_001) }, false],
    ["a pause may end before the deadline", { remainingMs: 251 }, true],
    ["a pause must not end at the deadline", { remainingMs: 250 }, false],
    [
      "a 429's pause may end before the deadline",
      { outcome: answer(429), rateLimited: 1, remainingMs: 1_001 },
      true,
    ],
    [
      "a 429's pause must not end at the deadline",
      { outcome: answer(429), rateLimited: 1, remainingMs: 1_000 },
      false,
    ],
  ])("%s", (_case, facts, again) => {
    expect(decide(facts).again).toBe(again);
  });

  it.each([
    ["as long as it is asked to", { outcome: answer(503, 3_000) }, 3_000],
    ["its own pause if that is longer", { outcome: answer(503, 100) }, 250],
    ["a second after a 429 without a time", { outcome: answer(429), rateLimited: 1 }, 1_000],
    ["twice as long after the next", { outcome: answer(429, 0), rateLimited: 2 }, 2_000],
    [
      "a second even if the client's own pauses are shorter",
      { outcome: answer(429), rateLimited: 3, policy: { ...policy, maxDelayMs: 100 } },
      1_000,
    ],
    ["8 s at most after many", { outcome: answer(429), rateLimited: 30 }, 8_000],
    ["as long as a 429 asks, even 1 ms", { outcome: answer(429, 1) }, 1],
    ["8 s at most by itself", { failures: 9, policy: { ...policy, maxTries: 99 } }, 8_000],
    ["any part of its pause", { failures: 3, random: 0.25 }, 250],
    ["not at all with random 0", { random: 0 }, 0],
  ])("waits %s", (_case, facts, waitMs) => {
    expect(decide(facts)).toEqual({ again: true, waitMs, checkFirst: false, free: false });
  });

  it.each(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"])("retries once without a pause after %s", (reason) => {
    const outcome = silence("answer", reason);

    expect(decide({ outcome, failures: 9 })).toEqual({
      again: true,
      waitMs: 0,
      checkFirst: false,
      free: true,
    });
    expect(decide({ outcome, freeTryUsed: true })).toMatchObject({ waitMs: 250, free: false });
    expect(decide({ outcome, remainingMs: 0 }).again).toBe(false);
    expect(decide({ outcome, remainingMs: 1 })).toMatchObject({ free: true });
  });

  it.each([
    ["another reason", silence("answer", "TIMEOUT")],
    ["another phase", silence("body", "ECONNRESET")],
    ["an answer", answer(503)],
  ])("pauses after %s", (_case, outcome) => {
    expect(decide({ outcome })).toMatchObject({ waitMs: 250, free: false });
  });
});

const nowMs = Date.UTC(2026, 0, 1);

it.each([
  ["nothing", {}, undefined],
  ["seconds", { "retry-after": "15" }, 15_000],
  ["an HTTP date", { "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, 7_000],
  ["a date of the past as now", { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [
    "retry-after before the reset",
    { "retry-after": "1", "x-rate-limit-reset": String(nowMs / 1_000 + 9) },
    1_000,
  ],
  ["part of a second", { "retry-after": "1.5" }, 1_500],
  ["zero seconds", { "retry-after": "0" }, 0],
  ["no seconds from other text", { "retry-after": "a15" }, undefined],
  ["no date from a number", { "retry-after": "1234567890123" }, undefined],
  ["a reset in the other spelling", { "x-ratelimit-reset": String(nowMs / 1_000 + 4) }, 4_000],
  ["a reset that is over", { "x-rate-limit-reset": String(nowMs / 1_000 - 1) }, 0],
  ["no reset of an invalid form", { "x-rate-limit-reset": "15 s" }, undefined],
  ["no reset of another invalid form", { "x-rate-limit-reset": "in 15" }, undefined],
  [
    "a reset if the other header is invalid",
    { "retry-after": "soon", "x-rate-limit-reset": String(nowMs / 1_000 + 3) },
    3_000,
  ],
])("readRetryAfterMs reads %s", (_case, headers, expected) => {
  expect(readRetryAfterMs({ status: 429, headers: new Headers(Object.entries(headers)) }, nowMs)).toBe(
    expected,
  );
});

it("readRetryAfterMs reads the reset only of a 429, because other answers may carry one", () => {
  const headers = new Headers({ "x-ratelimit-reset": String(nowMs / 1_000 + 55) });

  expect(readRetryAfterMs({ status: 502, headers }, nowMs)).toBeUndefined();
});
