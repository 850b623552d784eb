import { isRecord } from "../base/json.ts";
import { redact } from "../base/known-secrets.ts";
import { withTimeout } from "../base/timers.ts";
import type { ChatResponse } from "./chat-request.ts";
import { adviceAfter, ChatApiError, ChatUnreachableError, isRepeatable } from "./errors.ts";
import { type Answer, codeOf, isNo, messageFor } from "./fetch-once.ts";
import { isFinalCode } from "./final-codes.ts";
import type { AnswerHeaders } from "./lean-fetch.ts";
import type { PreparedRequest, SendOptions } from "./prepare-request.ts";
import { tooLate } from "./rate-budget.ts";
import {
  decideRetry,
  mayBeExecuted,
  type Outcome,
  type RetryPolicy,
  readRetryAfterMs,
  silentRateLimitWaitMs,
} from "./retry.ts";
import type { ChatErrorCode } from "./types/error-codes.ts";
import { actorOf, type UserBudgets, type UserTurn } from "./user-budgets.ts";

type Answered = Extract<Answer, { kind: "answer" }>;

export type Sent =
  | { readonly kind: "answer"; readonly body: unknown; readonly response?: ChatResponse }
  | { readonly kind: "found"; readonly value: unknown };

export interface Credentials {
  /** Returns header values, all secret. */
  get(useBasicAuth: boolean): Promise<Readonly<Record<string, string>>>;
  /** Called after a 401, with the refused headers. Absent if they cannot change. */
  readonly refresh?:
    | ((refused: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** Errors must not contain them. */
  readonly secrets?: readonly string[] | undefined;
}

export interface SendParts {
  readonly credentials: Credentials;
  readonly budget: Pick<UserBudgets, "acquire" | "learn" | "close">;
  readonly policy: RetryPolicy;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly tryOnce: (
    headers: Readonly<Record<string, string>>,
    attempt: number,
    secrets: Set<string>,
  ) => Promise<Answer>;
}

/**
 * Its loop must know between two tries whether the first may have been executed
 * (docs/internals/decisions.md#retry-loop).
 * @throws ChatApiError, ChatUnreachableError; the signal's reason if aborted
 */
export async function sendRequest(
  parts: SendParts,
  request: PreparedRequest,
  options: SendOptions,
): Promise<Sent> {
  const { credentials, now, sleep } = parts;
  const { signal, alreadyDone, leavesAtUserLimit: leaves = false } = options;
  const { deadlineMs = Infinity, maxTries = parts.policy.maxTries } = options;
  const { operation, method } = request;
  const actor = actorOf(request);
  let maybeExecuted = false;
  const giveUp = () => Promise.reject(tooLate({ operation, method, maybeExecuted }));
  const inTime = <T>(work: Promise<T>) => withTimeout(() => work, deadlineMs - now(), giveUp);
  let headers = await inTime(credentials.get(request.basicAuth));
  const secrets = new Set([...(credentials.secrets ?? []), ...request.secrets, ...Object.values(headers)]);
  let [failures, rateLimited] = [0, 0];
  let refresh = request.basicAuth ? undefined : credentials.refresh;
  let freeTryUsed = false;
  for (let count = 1; ; count += 1) {
    const turn = { operation, method, actor, signal, deadlineMs, isRepetition: count > 1, maybeExecuted };
    const tryOnce = () => parts.tryOnce(headers, count, secrets);
    const { answer, isUserLimit } = await tryInTurn(parts, { turn, leaves, rateLimited }, tryOnce);
    if (answer.kind === "answer" && !isNo(answer)) return toSent(answer, secrets);
    const error = () => toError(request, answer, { secrets, maybeExecuted, isUserLimit, nowMs: now() });
    if (answer.kind === "answer" && answer.status === 401 && refresh) {
      const fail = (cause: unknown) => Promise.reject(maybeExecuted ? error() : cause);
      headers = await inTime(refresh(headers)).catch(fail);
      refresh = undefined;
      for (const secret of Object.values(headers)) secrets.add(secret);
      continue;
    }

    const outcome = outcomeOf(answer, now());
    const isRateLimited = outcome.kind === "answer" && outcome.status === 429;
    if (isRateLimited) rateLimited += 1;
    else failures += 1;
    maybeExecuted ||= mayBeExecuted(outcome);
    const decision = decideRetry({
      method,
      outcome,
      failures,
      rateLimited,
      hasCheck: alreadyDone !== undefined,
      freeTryUsed,
      remainingMs: deadlineMs - now(),
      random: parts.random(),
      policy: { ...parts.policy, maxTries },
    });
    if (!decision.again || (leaves && isUserLimit)) throw error();
    freeTryUsed ||= decision.free;
    // After a 429, the budget pauses the requests of the class, or of the user.
    if (!isRateLimited && decision.waitMs > 0) {
      await sleep(decision.waitMs, signal).finally(() => signal?.throwIfAborted());
    }
    if (decision.checkFirst && alreadyDone) {
      const value = await find(() => inTime(alreadyDone()), error);
      if (value !== undefined) return { kind: "found", value };
    }
  }
}

function toSent({ status, headers, body }: Answered, secrets: Iterable<string>): Sent {
  return { kind: "answer", body, response: { status, headers, requestId: requestIdOf(headers, secrets) } };
}

/** @throws the error of `toError` after a failed check: the caller needs its `maybeExecuted` */
async function find(alreadyDone: () => Promise<unknown>, toError: () => Error): Promise<unknown> {
  try {
    return await alreadyDone();
  } catch {
    throw toError();
  }
}

/** Reads the answer's numbers before it ends the turn: no request starts with old ones. */
async function tryInTurn(
  { budget, now, policy }: SendParts,
  { turn, leaves, rateLimited }: { turn: UserTurn; leaves: boolean; rateLimited: number },
  tryOnce: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly isUserLimit: boolean }> {
  const { actor } = turn;
  const release = await budget.acquire(turn);
  try {
    // The timers of a suspended host fire late.
    if (now() >= turn.deadlineMs) throw tooLate(turn);
    const answer = await tryOnce();
    if (answer.kind === "answer" && answer.status === 429) {
      const asked = readRetryAfterMs(answer, now());
      const waitMs = asked || silentRateLimitWaitMs(rateLimited + 1, policy);
      return { answer, isUserLimit: budget.close(answer.headers, { actor, waitMs, leaves }) };
    }
    if (answer.kind === "answer") budget.learn(answer.headers, actor);
    return { answer, isUserLimit: false };
  } finally {
    release();
  }
}

function outcomeOf(answer: Answer, nowMs: number): Outcome {
  if (answer.kind === "silence") return answer;
  return {
    kind: "answer",
    status: statusOfNo(answer),
    retryAfterMs: readRetryAfterMs(answer, nowMs),
  };
}

/**
 * What the code of a 2xx means: final (400), or an error of the platform (500), after which the request may
 * have been executed.
 */
function statusOfNo(answer: Answered) {
  if (answer.status < 200 || answer.status >= 300) return answer.status;
  return isFinalCode(codeOf(answer) ?? "") ? 400 : 500;
}

function toError(
  request: PreparedRequest,
  answer: Answer,
  facts: { secrets: Iterable<string>; maybeExecuted: boolean; isUserLimit: boolean; nowMs: number },
): ChatApiError | ChatUnreachableError {
  const { maybeExecuted, isUserLimit } = facts;
  const { operation, method } = request;
  if (answer.kind === "silence") {
    const { phase, reason } = answer;
    return new ChatUnreachableError({ operation, method, phase, reason, maybeExecuted });
  }
  const status = statusOfNo(answer);
  const refusal = messageFor(request, answer, facts.secrets);
  const advice = maybeExecuted ? adviceAfter(method) : "";
  return new ChatApiError(advice === "" ? refusal : `${refusal.replace(/[.]?$/, ".")} ${advice}`, {
    status: answer.status,
    code: codeOf(answer) ?? plainCodeOf(request, answer) ?? `HTTP_${answer.status}`,
    operation,
    requestId: requestIdOf(answer.headers, facts.secrets),
    retryable: (status === 429 || status >= 500) && (!maybeExecuted || isRepeatable(method)),
    retryAfterMs: readRetryAfterMs(answer, facts.nowMs),
    maybeExecuted,
    isUserLimit,
  });
}

/**
 * The AI Agents API's specification has no codes (docs/internals/platform/ai-agents.md#errors). Ignores a
 * proxy's page.
 */
function plainCodeOf({ path }: PreparedRequest, { status, body }: Answered): string | undefined {
  const isPlain = path.startsWith("/ai-agents/") && isRecord(body) && Number(body.statusCode) === status;
  return isPlain ? plainCodes[status] : undefined;
}

const plainCodes: Readonly<Record<number, ChatErrorCode>> = {
  400: "ERR_BAD_REQUEST",
  404: "ERR_NOT_FOUND",
  409: "ERR_CONFLICT",
};

/** Tries the usual names: no page names this header. Drops values in another form. */
export function requestIdOf(headers: AnswerHeaders, secrets: Iterable<string>): string | undefined {
  const id = headers.get("x-request-id") ?? headers.get("x-amzn-requestid");
  return id !== null && /^[\w.:-]{1,100}$/.test(id) ? redact(id, secrets) : undefined;
}
