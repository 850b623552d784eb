import { scheduler } from "node:timers/promises";
import { type Answer, attempt, codeOf, messageFor } from "./attempt.ts";
import type { PreparedCall, SendOptions } from "./call.ts";
import { ChatApiError, ChatUnreachableError } from "./errors.ts";
import { createRateBudget, type RateBudget, type RateClass, type RateLimitState } from "./rate-budget.ts";
import { decideRetry, mayBeExecuted, type RetryPolicy, readRetryAfterMs } from "./retry.ts";

/** How a client talks to the platform; every field has a default. */
export interface TransportOptions {
  /** Sends requests. Default: the global fetch at the time of the call. */
  fetch?: typeof fetch | undefined;
  /** Tells the time in unix milliseconds. Default: Date.now. */
  now?: (() => number) | undefined;
  /** Waits. Default: timers. */
  sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Gives numbers from 0 up to 1. Default: Math.random. */
  random?: (() => number) | undefined;
  /** Longest time for one try in milliseconds. Default: 10_000. */
  timeoutMs?: number | undefined;
  /** Tries and pauses. Default: 4 tries, 250 ms doubling up to 8 s. */
  retry?: Partial<RetryPolicy> | undefined;
  /** Calls under way at once, per class; the others wait. Default: 64. */
  maxConcurrent?: number | undefined;
  /** Hears of every try; it gets no header, body or address. Default: nobody listens. */
  onTry?: ((report: TryReport) => void) | undefined;
}

/** What became of one try. */
export interface TryReport {
  readonly operation: string;
  /** From 1. */
  readonly attempt: number;
  readonly status: number | undefined;
  /** The platform's error code or the socket's, absent on success. */
  readonly code: string | undefined;
  readonly durationMs: number;
}

/** Credentials of a client, asked for at each try. */
export interface Credentials {
  /** Header values to send, each of them secret. */
  get(useBasicAuth: boolean): Promise<Readonly<Record<string, string>>>;
  /** Fetches newer ones after a 401; absent when there are none. */
  refresh?: (() => Promise<Readonly<Record<string, string>>>) | undefined;
}

/** Sends prepared calls. */
export interface Transport {
  /** Sends a call until it is answered or may not be repeated. */
  send(call: PreparedCall, options: SendOptions): Promise<Sent>;
  rateLimit(): Readonly<Record<RateClass, RateLimitState>>;
}

/** The answer of a call, or what the caller's own check found. */
export type Sent =
  | { readonly kind: "answer"; readonly body: unknown }
  | { readonly kind: "found"; readonly value: unknown };

/** Calls per minute and app before the platform has told its own numbers (platform facts: chat-api §7, secondary-apis §4). */
const defaultLimits = { core: 10_000, standard: 20_000, import: 60 };
const defaultPolicy: RetryPolicy = { maxTries: 4, baseDelayMs: 250, maxDelayMs: 8_000 };

/** Creates the sender all operations of a client share; its budgets and its knowledge of dead sockets live here. */
export function createTransport(
  baseUrl: (service: PreparedCall["service"]) => string,
  credentials: Credentials,
  options: TransportOptions,
  extraHeaders: Readonly<Record<string, string>> = {},
): Transport {
  const now = options.now ?? Date.now;
  const sleep = options.sleep ?? ((ms, signal) => scheduler.wait(ms, signal ? { signal } : {}));
  const random = options.random ?? Math.random;
  const policy = { ...defaultPolicy, ...options.retry };
  const maxConcurrent = options.maxConcurrent ?? 64;
  const budgets: Record<RateClass, RateBudget> = {
    core: createRateBudget({ limit: defaultLimits.core, maxConcurrent, now, sleep }),
    standard: createRateBudget({ limit: defaultLimits.standard, maxConcurrent, now, sleep }),
    import: createRateBudget({ limit: defaultLimits.import, maxConcurrent, now, sleep }),
  };
  let lastUsedMs = now();

  /** Lets the event loop see connections that died while the function was frozen, before one of them is used. */
  async function noticeDeadSockets(): Promise<void> {
    if (now() - lastUsedMs < 1_000) return;
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async function tryOnce(call: PreparedCall, headers: Readonly<Record<string, string>>, send: SendOptions) {
    await noticeDeadSockets();
    const remainingMs = (send.deadlineMs ?? Number.POSITIVE_INFINITY) - now();
    const timeoutMs = Math.min(send.timeoutMs ?? options.timeoutMs ?? 10_000, Math.max(1, remainingMs));
    const answer = await attempt({
      fetch: options.fetch ?? globalThis.fetch,
      url: baseUrl(call.service) + call.path,
      call,
      headers: { ...extraHeaders, ...headers },
      timeoutMs,
      signal: send.signal,
    });
    lastUsedMs = now();
    return answer;
  }

  async function send(call: PreparedCall, sendOptions: SendOptions): Promise<Sent> {
    const budget = budgets[call.rateClass];
    const deadlineMs = sendOptions.deadlineMs ?? Number.POSITIVE_INFINITY;
    const { signal, alreadyDone } = sendOptions;
    let headers = await credentials.get(call.basicAuth);
    const secrets = new Set([...call.secrets, ...Object.values(headers)]);
    let failures = 0;
    let rateLimited = 0;
    let refreshed = false;
    let freeTryUsed = false;
    let maybeExecuted = false;

    for (let count = 1; ; count += 1) {
      await budget.acquire({ operation: call.operation, signal, deadlineMs, first: count > 1 });
      const startedMs = now();
      let answer: Answer;
      try {
        answer = await tryOnce(call, headers, sendOptions);
        if (answer.kind === "answer") budget.learn(answer.headers);
      } finally {
        budget.release();
      }
      report(call, count, answer, now() - startedMs);
      if (answer.kind === "answer" && answer.status < 300) return { kind: "answer", body: answer.body };

      if (
        answer.kind === "answer" &&
        answer.status === 401 &&
        credentials.refresh &&
        !refreshed &&
        !call.basicAuth
      ) {
        refreshed = true;
        headers = await credentials.refresh();
        for (const secret of Object.values(headers)) secrets.add(secret);
        continue;
      }

      const outcome =
        answer.kind === "silence"
          ? answer
          : {
              kind: answer.kind,
              status: answer.status,
              retryAfterMs: readRetryAfterMs(answer.headers, now()),
            };
      const isRateLimited = outcome.kind === "answer" && outcome.status === 429;
      if (isRateLimited) rateLimited += 1;
      else failures += 1;
      maybeExecuted ||= mayBeExecuted(outcome);
      const decision = decideRetry({
        method: call.method,
        outcome,
        failures,
        rateLimited,
        hasCheck: alreadyDone !== undefined,
        freeTryUsed,
        remainingMs: deadlineMs - now(),
        random: random(),
        policy,
      });
      if (isRateLimited) budget.close(decision.again ? decision.waitMs : (outcome.retryAfterMs ?? 1_000));
      if (!decision.again) throw failure(call, answer, { secrets, maybeExecuted, nowMs: now() });
      freeTryUsed ||= decision.free;
      if (!isRateLimited && decision.waitMs > 0)
        await sleep(decision.waitMs, signal).catch(rethrowAbort(signal));
      if (decision.checkFirst && alreadyDone) {
        const value = await alreadyDone();
        if (value !== undefined) return { kind: "found", value };
      }
    }
  }

  function report(call: PreparedCall, count: number, answer: Answer, durationMs: number): void {
    options.onTry?.({
      operation: call.operation,
      attempt: count,
      status: answer.kind === "answer" ? answer.status : undefined,
      code: answer.kind === "silence" ? answer.reason : codeOf(answer),
      durationMs,
    });
  }

  return {
    send,
    rateLimit: () => ({
      core: budgets.core.state(),
      standard: budgets.standard.state(),
      import: budgets.import.state(),
    }),
  };
}

function failure(
  call: PreparedCall,
  answer: Answer,
  facts: { secrets: Iterable<string>; maybeExecuted: boolean; nowMs: number },
): ChatApiError | ChatUnreachableError {
  const { maybeExecuted } = facts;
  if (answer.kind === "silence") {
    return new ChatUnreachableError({
      operation: call.operation,
      phase: answer.phase,
      reason: answer.reason,
      maybeExecuted,
    });
  }
  const retryAfterMs = readRetryAfterMs(answer.headers, facts.nowMs);
  return new ChatApiError(messageFor(call, answer, facts.secrets), {
    status: answer.status,
    code: codeOf(answer) ?? `HTTP_${answer.status}`,
    operation: call.operation,
    requestId: answer.headers.get("x-request-id") ?? undefined,
    retryable: answer.status === 429 || answer.status >= 500,
    retryAfterMs,
    maybeExecuted,
  });
}

/** A timer that was aborted rejects with its own error; the caller expects the reason it gave. */
function rethrowAbort(signal: AbortSignal | undefined): (error: unknown) => never {
  return (error) => {
    signal?.throwIfAborted();
    throw error;
  };
}
