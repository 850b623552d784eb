/** A value that is loaded when first asked for and kept for a while. */
export interface Cached<T> {
  /**
   * Gives the kept value, or loads it, at the longest until `deadlineMs`; callers at the same time share one load.
   * @throws what the last load threw, where nothing is kept that may still serve
   */
  get(deadlineMs?: number): Promise<T>;
  /** As `get`, but loads anew unless that was tried less than `minAgeMs` ago; gives the newest value. */
  refresh(minAgeMs?: number, deadlineMs?: number): Promise<T>;
  /** Gives what `get` would give without loading. */
  peek(): T | undefined;
}

/** How long a value lives that was loaded once, in milliseconds. */
export interface CacheAges {
  /** A value of this age is loaded anew when it is asked for. */
  readonly refreshAfterMs: number;
  /** A value of this age serves no longer, not even while its source fails. */
  readonly maxAgeMs: number;
}

export interface CachedOptions<T> {
  /** Loads within the time given, in milliseconds since 1970. */
  readonly load: (deadlineMs: number) => Promise<T>;
  readonly ages: CacheAges;
  readonly now: () => number;
  /** From 0 up to 1. Default: Math.random. */
  readonly random?: (() => number) | undefined;
  /**
   * How long the source is waited for while there is an outdated value that serves as well, in milliseconds. Default: 600,
   * for functions that somebody waits for.
   */
  readonly patienceMs?: number;
}

/**
 * How long a source that failed is left alone: half to all of 1 s, then twice as long after each further failure up to
 * 8 s, so that whoever is sent again after 10 s meets a new try.
 */
const firstPauseMs = 1_000;
const longestPauseMs = 8_000;

/** A load that ends so long after its deadline stood still with its process, and says nothing of its source. */
const frozenAfterMs = 250;

/**
 * Keeps what `load` gives. When a later load fails, the outdated value goes on serving until it reaches its greatest age:
 * an outage of the source is no outage of ours. A source that failed is not asked again for a while, whoever asks.
 */
export function createCached<T>({
  load,
  ages,
  now,
  random = Math.random,
  patienceMs = 600,
}: CachedOptions<T>): Cached<T> {
  let kept: { readonly value: T; readonly askedAt: number } | undefined;
  let failed: { readonly error: unknown; readonly count: number; readonly askAgainAt: number } | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
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
      if (now() < deadlineMs + frozenAfterMs) {
        const count = (failed?.count ?? 0) + 1;
        const pauseMs = Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs);
        failed = { error, count, askAgainAt: now() + pauseMs * (0.5 + random() / 2) };
      }
      throw error;
    }
  };

  const reload = async (deadlineMs: number, askedSince = Number.NEGATIVE_INFINITY): Promise<T> => {
    let error = failed?.error;
    // A load that stood still was begun by an earlier request, and so was one whose answer is from before: this request
    // then asks for itself.
    for (let isOwn = false; !isOwn && !isLeftAlone(); ) {
      isOwn = loading === undefined;
      const limitMs = keptBelow(ages.maxAgeMs) === undefined ? Number.POSITIVE_INFINITY : now() + patienceMs;
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
    get: (deadlineMs = Number.POSITIVE_INFINITY) => {
      const fresh = keptBelow(ages.refreshAfterMs);
      return fresh === undefined ? reload(deadlineMs) : Promise.resolve(fresh.value);
    },
    refresh: async (minAgeMs = 0, deadlineMs = Number.POSITIVE_INFINITY) => {
      const recent = now() - triedAt < minAgeMs ? keptBelow(ages.maxAgeMs) : undefined;
      return recent === undefined ? reload(deadlineMs, now() - minAgeMs) : recent.value;
    },
    peek: () => keptBelow(ages.refreshAfterMs)?.value,
  };
}
