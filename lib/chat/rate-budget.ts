import { ChatUnreachableError } from "./errors.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";

/**
 * Classes of requests the platform counts apart (docs/platform/answers-and-errors.md#rate-limits,
 * docs/platform/import-and-metrics.md#import-limits).
 */
export type RateClass = "core" | "standard" | "import";

/** What is left of one class's requests, as far as the last answers tell. */
export interface RateLimitState {
  /** Requests per window. */
  readonly limit: number;
  /** Requests left in the current window; an estimate between answers. */
  readonly remaining: number;
  /** Moment (unix milliseconds) the platform asked to wait for, while that lies ahead. */
  readonly closedUntilMs: number | undefined;
  /** Requests under way. */
  readonly inFlight: number;
  /** Requests that wait for their turn. */
  readonly waiting: number;
}

/** A request that asks for its turn. */
export interface TurnRequest {
  readonly operation: string;
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs: number;
  /** This is not the request's first try: it goes before the queue. */
  readonly isRepetition: boolean;
  /** An earlier try may have been executed; errors must say so. */
  readonly maybeExecuted: boolean;
}

/** Lets requests start as long as the platform will take them; the others wait in order. */
export interface RateBudget {
  /**
   * Waits for this request's turn.
   * @throws ChatUnreachableError (phase wait) when the turn would come after the deadline; the signal's reason when aborted
   */
  acquire(request: TurnRequest): Promise<void>;
  /** Gives the turn back. */
  release(): void;
  /** Learns from an answer's `X-Rate-Limit` headers. */
  learn(headers: AnswerHeaders): void;
  /** Stops new requests for as long as a 429 asks. */
  close(waitMs: number): void;
  state(): RateLimitState;
}

/** Budgets are per app and minute (docs/platform/answers-and-errors.md#rate-limits). */
const windowMs = 60_000;

/**
 * Creates the budget of one class of requests.
 * When nothing is left and no reset time is known, one request at a time goes out to ask, so that a window that ends costs
 * one 429 and not one per waiting request.
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

  function mayStart(): boolean {
    if (now() >= windowEndsMs) {
      windowEndsMs = now() + windowMs;
      remaining = limit;
    }
    if (closedUntilMs > 0 || inFlight >= maxConcurrent) return false;
    return remaining > 0 || inFlight === 0;
  }

  function pump(): void {
    while (queue.length > 0 && mayStart()) {
      inFlight += 1;
      remaining -= 1;
      queue.shift()?.();
    }
  }

  function close(waitMs: number): void {
    const untilMs = now() + waitMs;
    if (untilMs <= closedUntilMs) return;
    closedUntilMs = untilMs;
    remaining = 0;
    const open = () => {
      if (closedUntilMs !== untilMs) return;
      closedUntilMs = 0;
      remaining = limit;
      windowEndsMs = now() + windowMs;
      pump();
    };
    sleep(waitMs).then(open, open);
  }

  return {
    async acquire(request) {
      const { signal, deadlineMs } = request;
      signal?.throwIfAborted();
      if (now() >= deadlineMs || (closedUntilMs > 0 && closedUntilMs >= deadlineMs)) throw tooLate(request);
      const turn = Promise.withResolvers<void>();
      if (request.isRepetition) queue.unshift(turn.resolve);
      else queue.push(turn.resolve);
      pump();
      if (!queue.includes(turn.resolve)) return;
      const leave = (reason: unknown) => {
        const place = queue.indexOf(turn.resolve);
        if (place < 0) return;
        queue.splice(place, 1);
        turn.reject(reason);
      };
      const abort = () => leave(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const timer = new AbortController();
      if (Number.isFinite(deadlineMs)) {
        sleep(deadlineMs - now(), timer.signal).then(
          () => leave(tooLate(request)),
          () => undefined,
        );
      }
      try {
        await turn.promise;
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
      const toldLimit = countOf(headers.get("x-rate-limit"));
      const toldRemaining = countOf(headers.get("x-rate-limit-remaining"));
      const resetMs = (countOf(headers.get("x-rate-limit-reset")) ?? 0) * 1_000;
      if (toldLimit !== undefined) limit = toldLimit;
      if (toldRemaining === undefined || closedUntilMs > 0) return;
      // The requests under way, this one excepted, may not be in the platform's number yet.
      remaining = Math.max(0, toldRemaining - Math.max(0, inFlight - 1));
      if (toldRemaining === 0 && resetMs > now() && resetMs <= now() + windowMs) close(resetMs - now());
    },
    close,
    state: () => ({
      limit,
      remaining: Math.max(0, remaining),
      closedUntilMs: closedUntilMs > now() ? closedUntilMs : undefined,
      inFlight,
      waiting: queue.length,
    }),
  };
}

function tooLate({ operation, maybeExecuted }: TurnRequest): ChatUnreachableError {
  return new ChatUnreachableError({ operation, phase: "wait", maybeExecuted, reason: "DEADLINE" });
}

function countOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}
