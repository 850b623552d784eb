import type { AnswerHeaders } from "./lean-fetch.ts";
import { type BudgetOptions, RateBudget, type RateLimitState, type TurnRequest } from "./rate-budget.ts";
import { rateLimitHeader } from "./retry.ts";

export interface UserTurn extends TurnRequest {
  /** The acting user, or the bot. */
  readonly user: string | undefined;
}

/**
 * One class. A user whose own limit is reached waits apart from it, one request at a time
 * (docs/internals/platform/answers-and-errors.md#rate-limits).
 */
export class UserBudgets {
  readonly #options: BudgetOptions;
  readonly #all: RateBudget;
  /** Of users that were refused and wait, or were within the last minutes. */
  readonly #users = new Map<string, RateBudget>();
  /** Refused without a word on whose limit it is, since the last other answer. */
  #suspect: string | undefined;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#all = new RateBudget(options);
  }

  /** @returns what ends the turn @throws as `RateBudget.acquire` */
  async acquire(request: UserTurn): Promise<() => void> {
    const { user } = request;
    const own = this.#users.get(user ?? "");
    await own?.acquire(request);
    const releaseOwn = () => {
      own?.release();
      if (own?.isIdle()) this.#forget(user ?? "", own);
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

  learn(headers: AnswerHeaders, isRefused: boolean): void {
    this.#all.learn(headers);
    if (!isRefused) this.#suspect = undefined;
  }

  /**
   * As a 429 asks. Where it does not say whose limit is reached, the user's, until another request is refused
   * as well.
   */
  close(waitMs: number, user: string | undefined, isOfUser: boolean | undefined): void {
    const isSuspect = isOfUser === undefined && (this.#suspect ?? user) === user;
    if (user === undefined || !(isOfUser || isSuspect)) {
      this.#all.close(waitMs);
      return;
    }
    if (isSuspect) this.#suspect = user;
    for (const [known, budget] of this.#users) if (budget.isIdle()) this.#forget(known, budget);
    const own =
      this.#users.get(user) ?? new RateBudget({ ...this.#options, limit: Infinity, maxConcurrent: 1 });
    this.#users.set(user, own);
    own.close(waitMs);
  }

  /** How many wait apart. */
  get users(): number {
    return this.#users.size;
  }

  state(): RateLimitState {
    return this.#all.state();
  }

  #forget(user: string, budget: RateBudget): void {
    if (this.#users.get(user) === budget) this.#users.delete(user);
  }
}

/**
 * The app has requests left: the limit is another one, of the acting user or the bot. Undefined if the answer
 * does not say what is left.
 */
export function isLimitOfUser(headers: AnswerHeaders, user: string | undefined): boolean | undefined {
  const remaining = rateLimitHeader(headers, "remaining");
  return remaining === null ? undefined : user !== undefined && Number(remaining) > 0;
}
