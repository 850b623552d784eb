import { isRepeatable, type UnreachablePhase } from "./errors.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";

export type Outcome =
  | { readonly kind: "answer"; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: "silence"; readonly phase: UnreachablePhase; readonly reason: string };

/** How a client retries requests. */
export interface RetryPolicy {
  /** Includes the first; answers of 429 do not count. Default 4. */
  readonly maxTries: number;
  /** The maximum of the first pause in milliseconds, which then doubles. Default 250. */
  readonly baseDelayMs: number;
  /** The maximum of any pause in milliseconds. Default 8_000. */
  readonly maxDelayMs: number;
}

export interface RetryFacts {
  readonly method: string;
  readonly outcome: Outcome;
  /** Includes this one. */
  readonly failures: number;
  /** Includes this one. */
  readonly rateLimited: number;
  /** Whether the caller can look whether an earlier try was executed. */
  readonly hasCheck: boolean;
  /** Whether a try was repeated without a pause after a dead socket. */
  readonly freeTryUsed: boolean;
  readonly remainingMs: number;
  readonly random: number;
  readonly policy: RetryPolicy;
}

type RetryDecision =
  | { readonly again: false }
  | { readonly again: true; readonly waitMs: number; readonly checkFirst: boolean; readonly free: boolean };

const stop: RetryDecision = { again: false };

/** Two windows of a minute (docs/internals/platform/answers-and-errors.md#rate-limits). */
export const longestRateLimitWaitMs = 120_000;
const maxRateLimited = 30;

/**
 * The wait after a 429 that names none or a past one, in milliseconds: a second, then doubled.
 * @param rateLimited includes this one
 */
export function silentRateLimitWaitMs(rateLimited: number, { maxDelayMs }: RetryPolicy): number {
  return Math.max(1_000, Math.min(maxDelayMs, 1_000 * 2 ** (rateLimited - 1)));
}

/**
 * Repeats GET, PUT and DELETE after 429, 5xx and no answer. Repeats POST and PATCH if the request cannot have
 * been executed (429, no connection), otherwise only if the caller can check. No pause exceeds the deadline.
 */
export function decideRetry(facts: RetryFacts): RetryDecision {
  const { outcome, policy, remainingMs } = facts;
  if (policy.maxTries <= 1 || !isWorthRepeating(outcome)) return stop;
  const isSafe = isRepeatable(facts.method) || !mayBeExecuted(outcome);
  if (!isSafe && !facts.hasCheck) return stop;
  const checkFirst = !isSafe;

  if (outcome.kind === "answer" && outcome.status === 429) {
    const waitMs = outcome.retryAfterMs || silentRateLimitWaitMs(facts.rateLimited, policy);
    const isBearable = facts.rateLimited <= maxRateLimited && waitMs <= longestRateLimitWaitMs;
    return isBearable && waitMs < remainingMs ? { again: true, waitMs, checkFirst, free: false } : stop;
  }
  if (isDeadSocket(outcome) && !facts.freeTryUsed && remainingMs > 0) {
    return { again: true, waitMs: 0, checkFirst, free: true };
  }
  if (facts.failures >= policy.maxTries) return stop;
  const asked = outcome.kind === "answer" ? (outcome.retryAfterMs ?? 0) : 0;
  const waitMs = Math.max(asked, backoffMs(facts.failures, facts));
  return waitMs < remainingMs && waitMs <= longestRateLimitWaitMs
    ? { again: true, waitMs, checkFirst, free: false }
    : stop;
}

/** True if sent and not refused. */
export function mayBeExecuted(outcome: Outcome): boolean {
  if (outcome.kind === "answer") return outcome.status >= 500;
  return outcome.phase === "answer" || outcome.phase === "body";
}

function isWorthRepeating(outcome: Outcome) {
  return outcome.kind === "silence" || outcome.status === 429 || outcome.status >= 500;
}

/** A kept-alive connection may end while the function is frozen. */
export const deadSocketCode = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

function isDeadSocket(outcome: Outcome) {
  return outcome.kind === "silence" && outcome.phase === "answer" && deadSocketCode.test(outcome.reason);
}

/** Uses full jitter. */
function backoffMs(failures: number, { policy, random }: RetryFacts) {
  return random * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (failures - 1));
}

/**
 * Reads `Retry-After` (seconds or HTTP date) before a 429's `X-Rate-Limit-Reset` (unix seconds), which other
 * answers may have, too. Returns milliseconds.
 * @see docs/internals/platform/answers-and-errors.md#rate-limits
 */
export function readRetryAfterMs(
  { status, headers }: { readonly status: number; readonly headers: AnswerHeaders },
  nowMs: number,
): number | undefined {
  const retryAfter = headers.get("retry-after");
  if (retryAfter !== null) {
    if (/^\d{1,9}(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1_000;
    const dateMs = Date.parse(retryAfter);
    if (!Number.isNaN(dateMs)) return Math.max(0, dateMs - nowMs);
  }
  const reset = status === 429 ? rateLimitHeader(headers, "reset") : undefined;
  return reset === undefined ? undefined : Math.max(0, reset * 1_000 - nowMs);
}

/** Accepts both spellings of the pages: `X-Rate-Limit-Reset` and `X-RateLimit-Reset`. */
export function rateLimitHeader(
  headers: AnswerHeaders,
  name: "limit" | "remaining" | "reset",
): number | undefined {
  const value =
    headers.get(name === "limit" ? "x-rate-limit" : `x-rate-limit-${name}`) ??
    headers.get(`x-ratelimit-${name}`);
  return value !== null && /^\d{1,12}$/.test(value) ? Number(value) : undefined;
}
