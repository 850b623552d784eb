import type { AnswerHeaders } from "./lean-fetch.ts";
import { type BudgetOptions, RateBudget, type RateLimitState, type TurnRequest } from "./rate-budget.ts";
import { rateLimitHeader } from "./retry.ts";

/** The acting user or the bot, and which of the user's own limits counts the request. */
export interface Actor {
  readonly uid: string;
  readonly counted: "sends" | "unread marks" | "others";
}

export interface UserTurn extends TurnRequest {
  readonly actor: Actor | undefined;
}

/**
 * Limits one class. A user whose own limit is reached waits apart from it, one request at a time, and delays
 * only that user's requests (docs/internals/platform/answers-and-errors.md#rate-limits).
 */
export class UserBudgets {
  readonly #options: BudgetOptions;
  readonly #all: RateBudget;
  /** Users that were refused and wait, or did within the last minutes. */
  readonly #users = new Map<string, RateBudget>();
  /** The user of a refusal that did not say whose limit is reached, since the last other answer. */
  #suspect: string | undefined;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#all = new RateBudget(options);
  }

  /** @returns a function that ends the turn @throws as `RateBudget.acquire` */
  async acquire(request: UserTurn): Promise<() => void> {
    const key = keyOf(request.actor);
    const own = this.#users.get(key);
    await own?.acquire(request);
    const releaseOwn = () => {
      own?.release();
      if (own?.isIdle()) this.#forget(key, own);
    };
    try {
      await this.#all.acquire(request);
    } catch (error) {
      releaseOwn();
      throw error;
    }
    return () => {
      this.#all.release();
      releaseOwn();
    };
  }

  learn(headers: AnswerHeaders, actor: Actor | undefined): void {
    this.#suspect = undefined;
    const isCounted = (actor?.counted ?? "others") !== "others";
    if (!isCounted || !isOwnNumber(rateLimitHeader(headers, "limit"))) this.#all.learn(headers);
  }

  /**
   * If a 429 does not say whose limit is reached, assumes the user's until another user is refused. `leaves`:
   * the user's other requests do not wait if it is surely the user's.
   * @returns whether it is surely the user's own limit
   */
  close(headers: AnswerHeaders, { actor, waitMs, leaves }: Refusal): boolean {
    const isOfUser = this.#isOfUser(headers, actor);
    const isSuspect = isOfUser === undefined && (this.#suspect ?? actor?.uid) === actor?.uid;
    if (actor === undefined || !(isOfUser || isSuspect)) {
      this.#all.learn(headers);
      this.#all.close(waitMs);
      return false;
    }
    if (isSuspect) this.#suspect = actor.uid;
    if (isOfUser && leaves) return true;
    for (const [known, budget] of this.#users) if (budget.isIdle()) this.#forget(known, budget);
    const key = keyOf(actor);
    const own =
      this.#users.get(key) ?? new RateBudget({ ...this.#options, limit: Infinity, maxConcurrent: 1 });
    this.#users.set(key, own);
    own.close(waitMs);
    return isOfUser === true;
  }

  get users(): number {
    return this.#users.size;
  }

  state(): RateLimitState {
    return this.#all.state();
  }

  /**
   * Decides by the user's numbers, or because the app has requests left.
   * @returns undefined if the answer does not say
   */
  #isOfUser(headers: AnswerHeaders, actor: Actor | undefined): boolean | undefined {
    if (actor === undefined) return false;
    const limit = rateLimitHeader(headers, "limit");
    const remaining = rateLimitHeader(headers, "remaining");
    const isOfApp = limit === this.#all.state().limit;
    if (Number(remaining) > 0 || (isOwnNumber(limit) && !isOfApp)) return true;
    return remaining === 0 && isOfApp ? false : undefined;
  }

  #forget(key: string, budget: RateBudget): void {
    if (this.#users.get(key) === budget) this.#users.delete(key);
  }
}

export interface Refusal {
  readonly actor: Actor | undefined;
  readonly waitMs: number;
  readonly leaves: boolean;
}

/**
 * True below 500, the minimum of an app per minute
 * (docs/internals/platform/answers-and-errors.md#rate-limits).
 */
function isOwnNumber(limit = Infinity) {
  return limit < 500;
}

/** The platform converts uids to lower case. */
export function actorOf({ method, onBehalfOf, path }: ActingRequest): Actor | undefined {
  const line = `${method} ${path}`;
  const bot = /^POST \/bots\/([^/]+)\/messages$/.exec(line)?.[1];
  const uid = (onBehalfOf ?? bot)?.toLowerCase();
  if (uid === undefined) return undefined;
  if (bot !== undefined || /^POST \/messages(\/[^/]+\/thread)?$/.test(line)) return { uid, counted: "sends" };
  return { uid, counted: /^DELETE .*\/conversation\/read$/.test(line) ? "unread marks" : "others" };
}

interface ActingRequest {
  readonly method: string;
  readonly onBehalfOf: string | undefined;
  /** Without the query if a limit of users counts. */
  readonly path: string;
}

function keyOf(actor: Actor | undefined) {
  return `${actor?.uid} ${actor?.counted}`;
}
