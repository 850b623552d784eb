import type { UnreachablePhase } from "./errors.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";

/** What became of one try: an answer, or silence. */
export type Outcome =
  | { readonly kind: "answer"; readonly status: number; readonly retryAfterMs: number | undefined }
  | { readonly kind: "silence"; readonly phase: UnreachablePhase; readonly reason: string };

/** How a client repeats requests. */
export interface RetryPolicy {
  /** Tries per request, the first included; answers of 429 do not count. Default 4. */
  readonly maxTries: number;
  /** Upper end of the first pause in milliseconds; each further one doubles. Default 250. */
  readonly baseDelayMs: number;
  /** Upper end of any pause in milliseconds. Default 8_000. */
  readonly maxDelayMs: number;
}

/** What the decision is made from. */
export interface RetryFacts {
  readonly method: string;
  readonly outcome: Outcome;
  /** Failed tries that count, this one included. */
  readonly failures: number;
  /** 429s of this request, this one included. */
  readonly rateLimited: number;
  /** The caller can look whether an earlier try was executed. */
  readonly hasCheck: boolean;
  /** A pause-free try after a dead socket was used up. */
  readonly freeTryUsed: boolean;
  /** Milliseconds until the deadline. */
  readonly remainingMs: number;
  /** Between 0 and 1. */
  readonly random: number;
  readonly policy: RetryPolicy;
}

/** What to do after a failed try. */
export type RetryDecision =
  | { readonly again: false }
  | { readonly again: true; readonly waitMs: number; readonly checkFirst: boolean; readonly free: boolean };

const stop: RetryDecision = { again: false };

/**
 * A window is a minute (docs/platform/answers-and-errors.md#rate-limits), so nobody needs to wait longer than two of
 * them.
 */
export const longestRateLimitWaitMs = 120_000;
const maxRateLimited = 30;

/**
 * How long a 429 is waited for, in milliseconds, that does not say so or names a time that is over: tried again at once, all
 * repetitions would go within a moment.
 */
export const silentRateLimitWaitMs = 1_000;

/**
 * Decides whether to try again and when (pure).
 * GET, PUT and DELETE go again after 429, 5xx and silence. POST and PATCH go again when the request surely was not
 * executed (429, no connection), else only when the caller can check. No pause reaches past the deadline.
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

/** Tells whether a failed try may have been carried out by the platform: it read the request and did not say no. */
export function mayBeExecuted(outcome: Outcome): boolean {
  if (outcome.kind === "answer") return outcome.status >= 500;
  return outcome.phase === "answer" || outcome.phase === "body";
}

function isWorthRepeating(outcome: Outcome): boolean {
  return outcome.kind === "silence" || outcome.status === 429 || outcome.status >= 500;
}

/** Tells whether a method has the same effect once or many times (RFC 9110 §9.2.2). */
function isRepeatable(method: string): boolean {
  return method === "GET" || method === "PUT" || method === "DELETE";
}

/** A kept-alive connection that ended while the function was frozen fails at once when it is used again. */
function isDeadSocket(outcome: Outcome): boolean {
  return (
    outcome.kind === "silence" &&
    outcome.phase === "answer" &&
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(outcome.reason)
  );
}

/** Full jitter: anywhere between nothing and the doubling bound. */
function backoffMs(failures: number, { policy, random }: RetryFacts): number {
  return random * Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (failures - 1));
}

/**
 * Reads how long an answer asks to wait, in milliseconds: `Retry-After` (seconds or HTTP date) before
 * `X-Rate-Limit-Reset` (unix seconds). See docs/platform/answers-and-errors.md#rate-limits.
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
