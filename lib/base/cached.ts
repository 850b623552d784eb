export interface Cached<T> {
  /**
   * Returns the value, loading it at first use, until `deadlineMs` at most. Concurrent callers share one
   * load.
   * @throws the last load's error if no usable value is cached
   */
  get(deadlineMs?: number): Promise<T>;
  /** Like `get`, but reloads unless the last load is younger than `minAgeMs`. */
  refresh(minAgeMs?: number, deadlineMs?: number): Promise<T>;
  peek(): T | undefined;
}

/** In milliseconds. */
export interface CacheAges {
  /** From this age on, the value is reloaded when requested. */
  readonly refreshAfterMs: number;
  /** From this age on, it is not used. */
  readonly maxAgeMs: number;
}

interface CachedOptions<T> {
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

/** Earlier than any time, and later. */
const never = Number.NEGATIVE_INFINITY;
const noDeadline = Number.POSITIVE_INFINITY;

/**
 * Waits 0.5 to 1 s after a failed load, doubled up to 8 s: a delivery repeated after 10 s causes a new load.
 */
const firstPauseMs = 1_000;
const longestPauseMs = 8_000;

/** A load that ends this long after its deadline was frozen with its process. */
const frozenAfterMs = 250;

/**
 * Creates a cache. After a failed load, the outdated value is used until its maximum age, and all callers
 * wait for the pause before the next load.
 */
export function createCached<T>(options: CachedOptions<T>): Cached<T> {
  const { load, ages, now, random = Math.random, maxWaitMs = 600 } = options;
  let kept: { readonly value: T; readonly askedAt: number } | undefined;
  let failed: Failure | undefined;
  let triedAt = never;
  let loading: Promise<T> | undefined;

  const keptBelow = (ageMs: number) =>
    kept !== undefined && now() - kept.askedAt < ageMs ? kept : undefined;
  const isLeftAlone = () => failed !== undefined && now() < failed.askAgainAt;
  const startLoading = async (deadlineMs: number): Promise<T> => {
    const askedAt = now();
    triedAt = askedAt;
    try {
      const value = await load(deadlineMs);
      kept = { value, askedAt };
      failed = undefined;
      return value;
    } catch (error) {
      if (now() < deadlineMs + frozenAfterMs) failed = failureAfter(failed, error, now(), random());
      throw error;
    }
  };

  const reload = async (deadlineMs: number, askedSince = never): Promise<T> => {
    let error = failed?.error;
    // A frozen load, or one begun before this request, does not count.
    for (let isOwn = false; !isOwn && !isLeftAlone(); ) {
      isOwn = loading === undefined;
      const limitMs = keptBelow(ages.maxAgeMs) === undefined ? noDeadline : now() + maxWaitMs;
      loading ??= startLoading(Math.min(deadlineMs, limitMs)).finally(() => {
        loading = undefined;
      });
      const loadedSince = triedAt;
      try {
        const value = await loading;
        if (isOwn || loadedSince >= askedSince) return value;
      } catch (reason) {
        error = reason;
      }
    }
    const outdated = keptBelow(ages.maxAgeMs);
    if (outdated === undefined) throw error;
    return outdated.value;
  };

  return {
    get: (deadlineMs = noDeadline) => {
      const fresh = keptBelow(ages.refreshAfterMs);
      return fresh === undefined ? reload(deadlineMs) : Promise.resolve(fresh.value);
    },
    refresh: async (minAgeMs = 0, deadlineMs = noDeadline) => {
      // What a running load is about to replace may be the reason for this call.
      const isRecent = loading === undefined && now() - triedAt < minAgeMs;
      const recent = isRecent ? keptBelow(ages.maxAgeMs) : undefined;
      return recent === undefined ? reload(deadlineMs, now() - minAgeMs) : recent.value;
    },
    peek: () => keptBelow(ages.refreshAfterMs)?.value,
  };
}

/**
 * Like `createCached`, but after a failed load, `refresh` throws its error, and only the pause delays the
 * next load: what the value lacks may exist by now.
 */
export function createStrictCached<T>(options: CachedOptions<T>): Cached<T> {
  const { load, now } = options;
  let failed: { readonly error: unknown; readonly askedAt: number } | undefined;
  const cached = createCached({
    ...options,
    load: async (deadlineMs) => {
      const askedAt = now();
      try {
        const value = await load(deadlineMs);
        failed = undefined;
        return value;
      } catch (error) {
        failed = { error, askedAt };
        throw error;
      }
    },
  });
  return {
    ...cached,
    refresh: async (minAgeMs = 0, deadlineMs = noDeadline) => {
      // A load that began after the failed one is recent enough.
      const ageMs = failed === undefined ? minAgeMs : Math.min(minAgeMs, now() - failed.askedAt);
      const value = await cached.refresh(ageMs, deadlineMs);
      if (failed !== undefined) throw failed.error;
      return value;
    },
  };
}

interface Failure {
  readonly error: unknown;
  readonly count: number;
  readonly askAgainAt: number;
}

function failureAfter(last: Failure | undefined, error: unknown, nowMs: number, random: number): Failure {
  const count = (last?.count ?? 0) + 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs);
  return { error, count, askAgainAt: nowMs + pauseMs * (0.5 + random / 2) };
}
