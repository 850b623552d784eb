import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideRetry, type Outcome, type RetryFacts, readRetryAfterMs } from "../../../lib/chat/retry.ts";
import { runs } from "../../helpers/property-runs.ts";

const policy = { maxTries: 4, baseDelayMs: 250, maxDelayMs: 8_000 };
const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.record({
    kind: fc.constant("answer" as const),
    status: fc.constantFrom(400, 401, 403, 404, 409, 429, 500, 502, 503, 504),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
  }),
  fc.record({
    kind: fc.constant("silence" as const),
    phase: fc.constantFrom("connect" as const, "answer" as const, "body" as const),
    reason: fc.constantFrom("ECONNREFUSED", "ECONNRESET", "TIMEOUT", "UND_ERR_SOCKET"),
  }),
);

const anyFacts: fc.Arbitrary<RetryFacts> = fc.record({
  method: fc.constantFrom("GET", "PUT", "DELETE", "POST", "PATCH"),
  outcome: anyOutcome,
  failures: fc.integer({ min: 0, max: 6 }),
  rateLimited: fc.integer({ min: 0, max: 40 }),
  hasCheck: fc.boolean(),
  freeTryUsed: fc.boolean(),
  remainingMs: fc.oneof(fc.integer({ min: -10, max: 100_000 }), fc.constant(Number.POSITIVE_INFINITY)),
  random: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
  policy: fc.constant(policy),
});

describe("decideRetry", () => {
  it("never waits up to or past the deadline", () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const decision = decideRetry(given);
        expect(decision.again && decision.waitMs >= given.remainingMs).toBe(false);
      }),
      runs(),
    );
  });

  it("never repeats a POST or PATCH that may have been executed, unless the caller can check", () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const decision = decideRetry(given);
        const isUnclear =
          given.outcome.kind === "answer" ? given.outcome.status >= 500 : given.outcome.phase !== "connect";
        const writes = given.method === "POST" || given.method === "PATCH";
        const isChecked = given.hasCheck && decision.again && decision.checkFirst;
        expect(writes && isUnclear && decision.again && !isChecked).toBe(false);
      }),
      runs(),
    );
  });

  it("never repeats what the platform has refused", () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const isRefused =
          given.outcome.kind === "answer" && given.outcome.status < 500 && given.outcome.status !== 429;
        expect(isRefused && decideRetry(given).again).toBe(false);
      }),
      runs(),
    );
  });

  it("waits at most as long as the platform asks or the doubling bound allows", () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const decision = decideRetry(given);
        const waitMs = decision.again ? decision.waitMs : 0;
        const asked = given.outcome.kind === "answer" ? (given.outcome.retryAfterMs ?? 1_000) : 0;
        expect(waitMs).toBeLessThanOrEqual(Math.max(asked, policy.maxDelayMs));
      }),
      runs(),
    );
  });
});

describe("readRetryAfterMs", () => {
  const nowMs = Date.parse("2026-01-01T00:00:00Z");
  it.each([
    ["seconds", { "retry-after": "15" }, 15_000],
    ["an HTTP date", { "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, 7_000],
    ["a date of the past as now", { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [
      "the reset second when there is nothing else",
      { "x-rate-limit-reset": String(nowMs / 1_000 + 9) },
      9_000,
    ],
    ["the first of both", { "retry-after": "1", "x-rate-limit-reset": String(nowMs / 1_000 + 9) }, 1_000],
    ["nonsense as nothing", { "retry-after": "soon" }, undefined],
  ])("reads %s", (_, headers, expected) => {
    expect(readRetryAfterMs(new Headers(Object.entries(headers)), nowMs)).toBe(expected);
  });
});
