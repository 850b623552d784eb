export interface Cached<T> {
  /**
   * Loads at first use, until `deadlineMs` at most. Concurrent callers share one load.
   * @throws the last load's error if no usable value is cached
   */
  get(deadlineMs?: number): Promise<T>;
  /** Like `get`, but reloads unless the last load was less than `minAgeMs` ago. */
  refresh(minAgeMs?: number, deadlineMs?: number): Promise<T>;
  peek(): T | undefined;
}

/** In milliseconds. */
export interface CacheAges {
  /** From this age on, the value is reloaded when requested. */
  readonly refreshAfterMs: number;
  /** From this age on, it is not used, even if its source fails. */
  readonly maxAgeMs: number;
}

export interface CachedOptions<T> {
  /** Deadline in milliseconds since 1970. */
  readonly load: (deadlineMs: number) => Promise<T>;
  readonly ages: CacheAges;
  readonly now: () => number;
  readonly random?: (() => number) | undefined;
  /**
   * Maximum wait in milliseconds while an outdated value is usable. Default: 600, for functions whose callers
   * wait.
   */
  readonly maxWaitMs?: number;
}

/** After a failed load 0.5 to 1 s, doubled up to 8 s: a delivery repeated after 10 s causes a new load. */
const firstPauseMs = 1_000;
const longestPauseMs = 8_000;

/**
 * A load that ends this long after its deadline was frozen with its process and shows nothing about its
 * source.
 */
const frozenAfterMs = 250;

/**
 * If a later load fails, the outdated value is used until its maximum age. After a failure, all callers wait
 * for the pause before the next load.
 */
export function createCached<T>(options: CachedOptions<T>): Cached<T> {
  const { ages, now } = options;
  const kept = new Kept(options);
  return {
    get: (deadlineMs = Number.POSITIVE_INFINITY) => {
      const fresh = kept.below(ages.refreshAfterMs);
      return fresh === undefined ? kept.reload(deadlineMs) : Promise.resolve(fresh.value);
    },
    refresh: async (minAgeMs = 0, deadlineMs = Number.POSITIVE_INFINITY) => {
      const recent = kept.isTriedWithin(minAgeMs) ? kept.below(ages.maxAgeMs) : undefined;
      return recent === undefined ? kept.reload(deadlineMs, now() - minAgeMs) : recent.value;
    },
    peek: () => kept.below(ages.refreshAfterMs)?.value,
  };
}

class Kept<T> {
  readonly #options: CachedOptions<T>;
  #kept: { readonly value: T; readonly askedAt: number } | undefined;
  #failed: { readonly error: unknown; readonly count: number; readonly askAgainAt: number } | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #loading: Promise<T> | undefined;

  constructor(options: CachedOptions<T>) {
    this.#options = options;
  }

  below(ageMs: number): { readonly value: T } | undefined {
    const kept = this.#kept;
    return kept !== undefined && this.#options.now() - kept.askedAt < ageMs ? kept : undefined;
  }

  /** False during a load: what it is about to replace may be the reason for the question. */
  isTriedWithin(ms: number): boolean {
    return this.#loading === undefined && this.#options.now() - this.#triedAt < ms;
  }

  async reload(deadlineMs: number, askedSince = Number.NEGATIVE_INFINITY): Promise<T> {
    const { ages, now, maxWaitMs = 600 } = this.#options;
    let error = this.#failed?.error;
    // A frozen load, or one that began before this request, does not count: this request loads again.
    for (let isOwn = false; !isOwn && !(this.#failed && now() < this.#failed.askAgainAt); ) {
      isOwn = this.#loading === undefined;
      const limitMs = this.below(ages.maxAgeMs) === undefined ? Number.POSITIVE_INFINITY : now() + maxWaitMs;
      this.#loading ??= this.#load(Math.min(deadlineMs, limitMs)).finally(() => {
        this.#loading = undefined;
      });
      const loadedSince = this.#triedAt;
      try {
        const value = await this.#loading;
        if (isOwn || loadedSince >= askedSince) return value;
      } catch (reason) {
        error = reason;
      }
    }
    const outdated = this.below(ages.maxAgeMs);
    if (outdated === undefined) throw error;
    return outdated.value;
  }

  async #load(deadlineMs: number): Promise<T> {
    const { load, now, random = Math.random } = this.#options;
    const askedAt = now();
    this.#triedAt = askedAt;
    try {
      const value = await load(deadlineMs);
      this.#kept = { value, askedAt };
      this.#failed = undefined;
      return value;
    } catch (error) {
      if (now() < deadlineMs + frozenAfterMs) {
        const count = (this.#failed?.count ?? 0) + 1;
        const pauseMs = Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs);
        this.#failed = { error, count, askAgainAt: now() + pauseMs * (0.5 + random() / 2) };
      }
      throw error;
    }
  }
}
