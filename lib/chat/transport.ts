import { pause } from "../base/timers.ts";
import { userAgent } from "../base/user-agent.ts";
import { type Answer, type AroundTry, codeOf, fetchOnce, isNo } from "./fetch-once.ts";
import type { Fetch } from "./lean-fetch.ts";
import type { PreparedRequest, SendOptions } from "./prepare-request.ts";
import type { RateClass, RateLimitState } from "./rate-budget.ts";
import type { RetryPolicy } from "./retry.ts";
import { type Credentials, type SendParts, type Sent, sendRequest } from "./send-request.ts";
import { UserBudgets } from "./user-budgets.ts";

/** How a client sends requests. Every field has a default. */
export interface TransportOptions {
  /** Default: the global fetch at the time of the request. */
  readonly fetch?: Fetch | undefined;
  /** Returns unix milliseconds. Default: Date.now. */
  readonly now?: (() => number) | undefined;
  /** Waits. Default: timers. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Returns 0 ≤ n < 1. Default: Math.random. */
  readonly random?: (() => number) | undefined;
  /** The time limit of a try, in milliseconds. Default: 10_000. */
  readonly timeoutMs?: number | undefined;
  /** Default: 4 tries, 250 ms doubling up to 8 s. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** The maximum of concurrent requests per class; others wait. Default: 64. */
  readonly maxConcurrent?: number | undefined;
  /** Called after every try, without headers, body and URL. Default: none. */
  readonly onTry?: ((report: TryReport) => void) | undefined;
  /** Called with the operation of each 2xx that is neither a refusal nor in the documented form. @internal */
  readonly onNotAsDocumented?: ((operation: string) => void) | undefined;
}

/** The result of one try. */
export interface TryReport {
  readonly operation: string;
  /** Begins at 1. */
  readonly attempt: number;
  readonly status: number | undefined;
  /** The platform's code or the socket's; undefined on success. */
  readonly code: string | undefined;
  readonly durationMs: number;
}

export interface Transport {
  send(request: PreparedRequest, options: SendOptions): Promise<Sent>;
  rateLimit(): Readonly<Record<RateClass, RateLimitState>>;
  noteNotAsDocumented(operation: string): void;
  readonly timing: () => Timing;
}

interface Timing {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** False if the client repeats nothing. */
  readonly repeats: boolean;
}

/**
 * Limits per minute and app, until the platform reports its own
 * (docs/internals/platform/answers-and-errors.md#rate-limits,
 * docs/internals/platform/import-and-metrics.md#import-limits).
 */
const defaultLimits = { core: 10_000, standard: 20_000, import: 60 };
const defaultPolicy: RetryPolicy = { maxTries: 4, baseDelayMs: 250, maxDelayMs: 8_000 };

export function untouchedBudgets(): Readonly<Record<RateClass, RateLimitState>> {
  return perClass((rateClass) => ({
    limit: defaultLimits[rateClass],
    remaining: defaultLimits[rateClass],
    closedUntilMs: undefined,
    inFlight: 0,
    waiting: 0,
  }));
}

function perClass<T>(make: (rateClass: RateClass) => T): Readonly<Record<RateClass, T>> {
  return { core: make("core"), standard: make("standard"), import: make("import") };
}

export function createTransport(
  baseUrl: (service: PreparedRequest["service"]) => string,
  credentials: Credentials,
  options: TransportOptions,
  fixedHeaders: Readonly<Record<string, string>> = {},
  around: AroundTry = (_, go) => go({}),
): Transport {
  const { now = Date.now, sleep = pause, random = Math.random, maxConcurrent = 64 } = options;
  const policy = { ...defaultPolicy, ...options.retry };
  const budgets = perClass(
    (rateClass) => new UserBudgets({ limit: defaultLimits[rateClass], maxConcurrent, now, sleep }),
  );
  const noteNotAsDocumented = (operation: string) => options.onNotAsDocumented?.(operation);

  const send: Transport["send"] = (request, given) => {
    const { traceparent, signal, deadlineMs, timeoutMs = options.timeoutMs ?? 10_000 } = given;
    const url = baseUrl(request.service) + request.path;
    const limitMs = () => (deadlineMs ? Math.min(timeoutMs, Math.max(1, deadlineMs - now())) : timeoutMs);
    const tryOnce: SendParts["tryOnce"] = async (credentialHeaders, count, secrets) => {
      const startedMs = now();
      const heard = await around({ request, url, send: given, count, secrets, limitMs }, (more) =>
        fetchOnce({
          fetch: options.fetch ?? globalThis.fetch,
          headers: {
            "user-agent": userAgent(),
            ...given.headers,
            ...more,
            ...fixedHeaders,
            ...credentialHeaders,
            ...(traceparent !== undefined && { traceparent }),
          },
          timeoutMs: limitMs(),
          url,
          request,
          signal,
        }),
      );
      const answer = readSuccess(request, heard);
      const isText = answer.kind === "silence" && answer.reason === "UNREADABLE";
      if (answer !== heard || isText) noteNotAsDocumented(request.operation);
      options.onTry?.({
        operation: request.operation,
        attempt: count,
        status: heard.kind === "answer" ? heard.status : undefined,
        code: answer.kind === "silence" ? answer.reason : codeOf(answer),
        durationMs: now() - startedMs,
      });
      return answer;
    };
    const budget = budgets[request.rateClass];
    return sendRequest({ credentials, budget, policy, now, random, sleep, tryOnce }, request, given);
  };

  return {
    send,
    rateLimit: () => perClass((rateClass) => budgets[rateClass].state()),
    noteNotAsDocumented,
    timing: () => ({ now, sleep, repeats: policy.maxTries > 1 }),
  };
}

/** A 2xx that is neither a refusal nor in the documented form is no answer. */
function readSuccess({ isDocumented }: PreparedRequest, answer: Answer): Answer {
  if (answer.kind === "silence" || isNo(answer) || isDocumented === undefined) return answer;
  return isDocumented(answer.body) ? answer : { kind: "silence", phase: "body", reason: "NOT_AS_DOCUMENTED" };
}
