import type { UnreachablePhase } from "./errors.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";

export type Outcome =
  | { readonly kind: "answer"; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: "silence"; readonly phase: UnreachablePhase; readonly reason: string };

/** How a client retries requests. */
export interface RetryPolicy {
  /** Tries per request, the first included; answers of 429 do not count. Default 4. */
  readonly maxTries: number;
  /** Maximum of the first pause in milliseconds, doubled for each further one. Default 250. */
  readonly baseDelayMs: number;
  /** Maximum of any pause in milliseconds. Default 8_000. */
  readonly maxDelayMs: number;
}

export interface RetryFacts {
  readonly method: string;
  readonly outcome: Outcome;
  /** Failed tries that count, including this one. */
  readonly failures: number;
  /** 429s of this request, including this one. */
  readonly rateLimited: number;
  /** The caller can check whether an earlier try was executed. */
  readonly hasCheck: boolean;
  /** The try without a pause after a dead socket was used. */
  readonly freeTryUsed: boolean;
  /** Milliseconds until the deadline. */
  readonly remainingMs: number;
  /** Between 0 and 1. */
  readonly random: number;
  readonly policy: RetryPolicy;
}

export type RetryDecision =
  | { readonly again: false }
  | { readonly again: true; readonly waitMs: number; readonly checkFirst: boolean; readonly free: boolean };

const stop: RetryDecision = { again: false };

/**
 * A window is a minute (docs/internals/platform/answers-and-errors.md#rate-limits), so two of them are the
 * maximum wait.
 */
export const longestRateLimitWaitMs = 120_000;
const maxRateLimited = 30;

/**
 * Wait after a 429 without a wait or with one in the past, in milliseconds. Without it, all retries would
 * follow within a moment.
 */
export const silentRateLimitWaitMs = 1_000;

/**
 * Decides whether and when to retry (pure). Retries GET, PUT and DELETE after 429, 5xx and no answer. Retries
 * POST and PATCH if the request cannot have been executed (429, no connection), otherwise only if the caller
 * can check. No pause exceeds the deadline.
 */
export function decideRetry(facts: RetryFacts): RetryDecision {
  const { outcome, policy, remainingMs } = facts;
  if (policy.maxTries <= 1 || !isWorthRepeating(outcome)) return stop;
  const isSafe = isRepeatable(facts.method) || !mayBeExecuted(outcome);
  if (!isSafe && !facts.hasCheck) return stop;
  const checkFirst = !isSafe;

  if (outcome.kind === "answer" && outcome.status === 429) {
    const waitMs = outcome.retryAfterMs || silentRateLimitWaitMs;
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

/** Returns true if the platform may have executed a failed try: it was sent and not refused. */
export function mayBeExecuted(outcome: Outcome): boolean {
  if (outcome.kind === "answer") return outcome.status >= 500;
  return outcome.phase === "answer" || outcome.phase === "body";
}

function isWorthRepeating(outcome: Outcome): boolean {
  return outcome.kind === "silence" || outcome.status === 429 || outcome.status >= 500;
}

/** Returns true if a method has the same effect once or many times (RFC 9110 §9.2.2). */
function isRepeatable(method: string): boolean {
  return method === "GET" || method === "PUT" || method === "DELETE";
}

/** A kept-alive connection that ended while the function was frozen fails immediately on reuse. */
function isDeadSocket(outcome: Outcome): boolean {
  return (
    outcome.kind === "silence" &&
    outcome.phase === "answer" &&
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(outcome.reason)
  );
}

/** Full jitter: between zero and the doubling bound. */
function backoffMs(failures: number, { policy, random }: RetryFacts): number {
  return random * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (failures - 1));
}

/**
 * Reads the wait that an answer asks for, in milliseconds: `Retry-After` (seconds or HTTP date) before
 * `X-Rate-Limit-Reset` (unix seconds). See docs/internals/platform/answers-and-errors.md#rate-limits.
 */
export function readRetryAfterMs(headers: AnswerHeaders, nowMs: number): number | undefined {
  const retryAfter = headers.get("retry-after");
  if (retryAfter !== null) {
    if (/^\d{1,9}(\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1_000;
    const dateMs = Date.parse(retryAfter);
    if (!Number.isNaN(dateMs)) return Math.max(0, dateMs - nowMs);
  }
  const reset = headers.get("x-rate-limit-reset");
  return reset !== null && /^\d{1,12}$/.test(reset) ? Math.max(0, Number(reset) * 1_000 - nowMs) : undefined;
}
