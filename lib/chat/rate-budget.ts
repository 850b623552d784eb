import { withResolvers } from "../base/on-node-20.ts";
import { withTimeout } from "../base/timers.ts";
import { ChatUnreachableError } from "./errors.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";
import { longestRateLimitWaitMs, rateLimitHeader } from "./retry.ts";

/**
 * Classes with separate limits (docs/internals/platform/answers-and-errors.md#rate-limits,
 * docs/internals/platform/import-and-metrics.md#import-limits).
 */
export type RateClass = "core" | "standard" | "import";

/** The state of one class, as of the last answers. */
export interface RateLimitState {
  /** Requests per window. */
  readonly limit: number;
  /** Requests left in the current window; an estimate between answers. */
  readonly remaining: number;
  /** The end of the wait that the platform asked for, in unix milliseconds, while in the future. */
  readonly closedUntilMs: number | undefined;
  /** Requests in progress. */
  readonly inFlight: number;
  /** Requests waiting for a turn. */
  readonly waiting: number;
}

export interface TurnRequest {
  readonly operation: string;
  readonly method?: string;
  readonly signal?: AbortSignal | undefined;
  readonly deadlineMs: number;
  /** Whether it goes before the queue, after other repetitions. */
  readonly isRepetition: boolean;
  /** Whether an earlier try may have been executed. */
  readonly maybeExecuted: boolean;
}

/** Limits count per app and minute (docs/internals/platform/answers-and-errors.md#rate-limits). */
const windowMs = 60_000;

export interface BudgetOptions {
  readonly limit: number;
  readonly maxConcurrent: number;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Limits one class: further requests wait in order. If nothing is left and no reset time is known, sends one
 * at a time, which costs one 429 per window.
 */
export class RateBudget {
  readonly #options: BudgetOptions;
  readonly #queue: { readonly start: () => void; readonly isRepetition: boolean }[] = [];
  #limit: number;
  #remaining: number;
  #windowEndsMs: number;
  #closedUntilMs = 0;
  #inFlight = 0;
  #waking: AbortController | undefined;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#limit = options.limit;
    this.#remaining = options.limit;
    this.#windowEndsMs = options.now() + windowMs;
  }

  /**
   * @throws ChatUnreachableError (phase wait) if the turn would be after the deadline; the signal's reason if
   * aborted
   */
  async acquire(request: TurnRequest): Promise<void> {
    const { signal, deadlineMs } = request;
    const { now, sleep } = this.#options;
    signal?.throwIfAborted();
    if (this.#closedUntilMs >= deadlineMs) throw tooLate(request);
    const { promise: turn, resolve: start, reject: refuse } = withResolvers<void>();
    const { isRepetition } = request;
    const entry = { start, isRepetition };
    const before = isRepetition ? this.#queue.findIndex((other) => !other.isRepetition) : -1;
    this.#queue.splice(before < 0 ? this.#queue.length : before, 0, entry);
    this.#pump();
    if (!this.#queue.includes(entry)) return;
    const leave = (reason: unknown) => {
      const place = this.#queue.indexOf(entry);
      if (place < 0) return;
      this.#queue.splice(place, 1);
      this.#wake();
      refuse(reason);
    };
    const abort = () => leave(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const end = () => {
      leave(tooLate(request));
      return turn;
    };
    try {
      await withTimeout(() => turn, deadlineMs - now(), end, sleep);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  release(): void {
    this.#inFlight -= 1;
    this.#pump();
  }

  learn(headers: AnswerHeaders): void {
    const limit = rateLimitHeader(headers, "limit");
    const remaining = rateLimitHeader(headers, "remaining");
    const waitMs = (rateLimitHeader(headers, "reset") ?? 0) * 1_000 - this.#options.now();
    if (limit !== undefined) this.#limit = limit;
    if (remaining === undefined || this.#closedUntilMs > 0) return;
    // The platform may not have counted other requests in progress.
    this.#remaining = remaining - Math.max(0, this.#inFlight - 1);
    if (remaining === 0 && waitMs > 0 && waitMs <= windowMs) this.close(waitMs);
  }

  /** Pauses after a 429. Beyond the maximum wait, sends one at a time. */
  close(waitMs: number): void {
    this.#remaining = 0;
    if (waitMs > longestRateLimitWaitMs) return;
    this.#closedUntilMs = Math.max(this.#closedUntilMs, this.#options.now() + waitMs);
    this.#wake();
  }

  isIdle(): boolean {
    this.#refill();
    return this.#inFlight === 0 && this.#queue.length === 0 && this.#closedUntilMs === 0;
  }

  state(): RateLimitState {
    this.#refill();
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#remaining),
      closedUntilMs: this.#closedUntilMs || undefined,
      inFlight: this.#inFlight,
      waiting: this.#queue.length,
    };
  }

  #mayStart(): boolean {
    this.#refill();
    if (this.#closedUntilMs > 0 || this.#inFlight >= this.#options.maxConcurrent) return false;
    return this.#remaining > 0 || this.#inFlight === 0;
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#mayStart()) {
      this.#inFlight += 1;
      this.#remaining -= 1;
      this.#queue.shift()?.start();
    }
    this.#wake();
  }

  #refill(): void {
    if (this.#options.now() >= (this.#closedUntilMs || this.#windowEndsMs)) this.#open();
  }

  #open(): void {
    this.#closedUntilMs = 0;
    this.#remaining = this.#limit;
    this.#windowEndsMs = this.#options.now() + windowMs;
  }

  /** A timer would keep the process alive: none without waiting requests. */
  #wake(): void {
    if (this.#queue.length === 0) {
      this.#waking?.abort();
      this.#waking = undefined;
      return;
    }
    if (this.#waking || this.#closedUntilMs === 0) return;
    const mine = new AbortController();
    const untilMs = this.#closedUntilMs;
    const ring = () => {
      if (this.#waking !== mine) return;
      this.#waking = undefined;
      if (this.#closedUntilMs === untilMs) this.#open();
      this.#pump();
    };
    this.#waking = mine;
    this.#options.sleep(untilMs - this.#options.now(), mine.signal).then(ring, ring);
  }
}

export function tooLate(
  request: Pick<TurnRequest, "operation" | "method" | "maybeExecuted">,
): ChatUnreachableError {
  return new ChatUnreachableError({ ...request, phase: "wait", reason: "DEADLINE" });
}
