import { ChatUnreachableError } from "./errors.ts";

/** Classes of calls the platform counts apart (platform facts: chat-api §7, secondary-apis §4). */
export type RateClass = "core" | "standard" | "import";

/** What is left of one class's calls, as far as the last answers tell. */
export interface RateLimitState {
  /** Calls per window. */
  readonly limit: number;
  /** Calls left in the current window; an estimate between answers. */
  readonly remaining: number;
  /** Moment (unix milliseconds) the platform asked to wait for, while that lies ahead. */
  readonly closedUntilMs: number | undefined;
  /** Calls under way and calls that wait for their turn. */
  readonly inFlight: number;
  readonly waiting: number;
}

/** Lets calls start as long as the platform will take them; the others wait in order. */
export interface RateBudget {
  /** Waits for this call's turn; `first` goes before the queue. */
  acquire(call: {
    operation: string;
    signal?: AbortSignal | undefined;
    deadlineMs: number;
    first: boolean;
  }): Promise<void>;
  /** Gives the turn back. */
  release(): void;
  /** Learns from an answer's `X-Rate-Limit` headers. */
  learn(headers: Headers): void;
  /** Stops new calls for as long as a 429 asks. */
  close(waitMs: number): void;
  state(): RateLimitState;
}

/** Budgets are per app and minute (platform facts: chat-api §7). */
const windowMs = 60_000;

/**
 * Creates the budget of one class of calls.
 * When nothing is left and no reset time is known, one call at a time goes out to ask, so that a short window costs one
 * 429 and not one per call.
 */
export function createRateBudget(options: {
  limit: number;
  maxConcurrent: number;
  now: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}): RateBudget {
  const { now, sleep, maxConcurrent } = options;
  let limit = options.limit;
  let remaining = limit;
  let windowEndsMs = now() + windowMs;
  let closedUntilMs = 0;
  let inFlight = 0;
  const queue: { start: () => void }[] = [];

  function mayStart(): boolean {
    if (now() >= windowEndsMs) {
      windowEndsMs = now() + windowMs;
      remaining = limit;
    }
    if (now() < closedUntilMs || inFlight >= maxConcurrent) return false;
    return remaining > 0 || inFlight === 0;
  }

  function pump(): void {
    while (queue.length > 0 && mayStart()) {
      inFlight += 1;
      remaining -= 1;
      queue.shift()?.start();
    }
  }

  return {
    async acquire({ operation, signal, deadlineMs, first }) {
      const untilOpenMs = closedUntilMs - now();
      if (now() >= deadlineMs || (untilOpenMs > 0 && closedUntilMs >= deadlineMs)) {
        throw new ChatUnreachableError({
          operation,
          phase: "wait",
          maybeExecuted: false,
          reason: "DEADLINE",
        });
      }
      signal?.throwIfAborted();
      const turn = Promise.withResolvers<void>();
      const entry = { start: () => turn.resolve() };
      if (first) queue.unshift(entry);
      else queue.push(entry);
      pump();
      if (!queue.includes(entry)) return;
      const leave = (reason: unknown) => {
        const place = queue.indexOf(entry);
        if (place >= 0) queue.splice(place, 1);
        turn.reject(reason);
      };
      const aborted = () => leave(signal?.reason);
      signal?.addEventListener("abort", aborted, { once: true });
      const timer = new AbortController();
      if (Number.isFinite(deadlineMs)) {
        sleep(deadlineMs - now(), timer.signal).then(
          () =>
            leave(
              new ChatUnreachableError({
                operation,
                phase: "wait",
                maybeExecuted: false,
                reason: "DEADLINE",
              }),
            ),
          () => undefined,
        );
      }
      try {
        await turn.promise;
      } finally {
        timer.abort();
        signal?.removeEventListener("abort", aborted);
      }
    },
    release() {
      inFlight -= 1;
      pump();
    },
    learn(headers) {
      const toldLimit = countOf(headers.get("x-rate-limit"));
      const toldRemaining = countOf(headers.get("x-rate-limit-remaining"));
      if (toldLimit !== undefined) limit = toldLimit;
      // The calls under way, this one excepted, may not be in the platform's number yet.
      if (toldRemaining !== undefined) remaining = Math.max(0, toldRemaining - Math.max(0, inFlight - 1));
    },
    close(waitMs) {
      const untilMs = now() + waitMs;
      if (untilMs <= closedUntilMs) return;
      closedUntilMs = untilMs;
      remaining = 0;
      sleep(waitMs).then(
        () => {
          if (now() >= closedUntilMs) remaining = limit;
          pump();
        },
        () => undefined,
      );
    },
    state: () => ({
      limit,
      remaining: Math.max(0, remaining),
      closedUntilMs: closedUntilMs > now() ? closedUntilMs : undefined,
      inFlight,
      waiting: queue.length,
    }),
  };
}

function countOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
