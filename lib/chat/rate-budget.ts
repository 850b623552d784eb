import { ChatUnreachableError } from "./errors.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";
import { longestRateLimitWaitMs } from "./retry.ts";

/**
 * Classes of requests with separate limits (docs/internals/platform/answers-and-errors.md#rate-limits,
 * docs/internals/platform/import-and-metrics.md#import-limits).
 */
export type RateClass = "core" | "standard" | "import";

/** The remaining requests of one class, as of the last answers. */
export interface RateLimitState {
  /** Requests per window. */
  readonly limit: number;
  /** Requests left in the current window; an estimate between answers. */
  readonly remaining: number;
  /** End of the wait that the platform asked for (unix milliseconds), while it is in the future. */
  readonly closedUntilMs: number | undefined;
  /** Requests in progress. */
  readonly inFlight: number;
  /** Requests waiting for a turn. */
  readonly waiting: number;
}

export interface TurnRequest {
  readonly operation: string;
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs: number;
  /** A retry. It goes before the queue. */
  readonly isRepetition: boolean;
  /** An earlier try may have been executed; errors must report that. */
  readonly maybeExecuted: boolean;
}

/** Starts requests as long as the platform accepts them. The others wait in order. */
export interface RateBudget {
  /**
   * Waits for this request's turn.
   * @throws ChatUnreachableError (phase wait) if the turn would be after the deadline; the signal's reason if
   *   aborted
   */
  acquire(request: TurnRequest): Promise<void>;
  release(): void;
  /** Updates the budget from an answer's `X-Rate-Limit` headers. */
  learn(headers: AnswerHeaders): void;
  /**
   * Stops new requests for the time that a 429 asks for. If that is longer than the maximum wait, requests
   * are sent one at a time, and each gets its own 429.
   */
  close(waitMs: number): void;
  state(): RateLimitState;
}

/**
 * Maximum delay of a timer; a longer one would fire immediately. @see
 * https://nodejs.org/api/timers.html#settimeoutcallback-delay-args
 */
export const longestTimerMs = 2 ** 31 - 1;

/** Budgets are per app and minute (docs/internals/platform/answers-and-errors.md#rate-limits). */
const windowMs = 60_000;

/**
 * Creates the budget of one class of requests. If nothing is left and no reset time is known, requests are
 * sent one at a time, so that the end of a window costs one 429 instead of one per waiting request.
 */
export function createRateBudget(options: {
  readonly limit: number;
  readonly maxConcurrent: number;
  now: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}): RateBudget {
  const { now, sleep, maxConcurrent } = options;
  let limit = options.limit;
  let remaining = limit;
  let windowEndsMs = now() + windowMs;
  let closedUntilMs = 0;
  let inFlight = 0;
  const queue: (() => void)[] = [];
  let waking: AbortController | undefined;

  function mayStart(): boolean {
    refill();
    if (closedUntilMs > 0 || inFlight >= maxConcurrent) return false;
    return remaining > 0 || inFlight === 0;
  }

  function pump(): void {
    while (queue.length > 0 && mayStart()) {
      inFlight += 1;
      remaining -= 1;
      queue.shift()?.();
    }
    wake();
  }

  function close(waitMs: number): void {
    remaining = 0;
    if (waitMs > longestRateLimitWaitMs) return;
    closedUntilMs = Math.max(closedUntilMs, now() + waitMs);
    wake();
  }

  function refill(): void {
    if (now() >= (closedUntilMs || windowEndsMs)) open();
  }

  function open(): void {
    closedUntilMs = 0;
    remaining = limit;
    windowEndsMs = now() + windowMs;
  }

  /**
   * Schedules the wake-up of waiting requests. Without any, it sets no timer, which would keep the process
   * alive.
   */
  function wake(): void {
    if (queue.length === 0) {
      waking?.abort();
      waking = undefined;
    }
    if (waking || queue.length === 0 || closedUntilMs === 0) return;
    const mine = new AbortController();
    const untilMs = closedUntilMs;
    const ring = () => {
      if (waking !== mine) return;
      waking = undefined;
      if (closedUntilMs === untilMs) open();
      pump();
    };
    waking = mine;
    sleep(untilMs - now(), mine.signal).then(ring, ring);
  }

  return {
    async acquire(request) {
      const { signal, deadlineMs } = request;
      signal?.throwIfAborted();
      if (Math.max(now(), closedUntilMs) >= deadlineMs) throw tooLate(request);
      let start: () => void = () => undefined;
      let refuse: (reason: unknown) => void = () => undefined;
      const turn = new Promise<void>((resolve, reject) => {
        start = resolve;
        refuse = reject;
      });
      if (request.isRepetition) queue.unshift(start);
      else queue.push(start);
      pump();
      if (!queue.includes(start)) return;
      const leave = (reason: unknown) => {
        const place = queue.indexOf(start);
        if (place < 0) return;
        queue.splice(place, 1);
        wake();
        refuse(reason);
      };
      const abort = () => leave(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const timer = new AbortController();
      if (Number.isFinite(deadlineMs)) {
        sleep(Math.min(deadlineMs - now(), longestTimerMs), timer.signal).then(
          () => leave(tooLate(request)),
          () => undefined,
        );
      }
      try {
        await turn;
      } finally {
        timer.abort();
        signal?.removeEventListener("abort", abort);
      }
    },
    release() {
      inFlight -= 1;
      pump();
    },
    learn(headers) {
      const reportedLimit = countOf(headers.get("x-rate-limit"));
      const reportedRemaining = countOf(headers.get("x-rate-limit-remaining"));
      const resetMs = (countOf(headers.get("x-rate-limit-reset")) ?? 0) * 1_000;
      if (reportedLimit !== undefined) limit = reportedLimit;
      if (reportedRemaining === undefined || closedUntilMs > 0) return;
      // The platform's number may not include the other requests in progress.
      remaining = Math.max(0, reportedRemaining - Math.max(0, inFlight - 1));
      if (reportedRemaining === 0 && resetMs > now() && resetMs <= now() + windowMs) close(resetMs - now());
    },
    close,
    state() {
      refill();
      return {
        limit,
        remaining: Math.max(0, remaining),
        closedUntilMs: closedUntilMs || undefined,
        inFlight,
        waiting: queue.length,
      };
    },
  };
}

function tooLate({ operation, maybeExecuted }: TurnRequest): ChatUnreachableError {
  return new ChatUnreachableError({ operation, phase: "wait", maybeExecuted, reason: "DEADLINE" });
}

function countOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}
