/** A value that is loaded when first asked for and kept for a while. */
export interface Cached<T> {
  /** Gives the kept value, or loads it; callers at the same time share one load. A failed load is not kept. */
  get(): Promise<T>;
  /** Loads again, unless that was tried less than `minAgeMs` ago; gives the newest value. */
  refresh(minAgeMs?: number): Promise<T>;
}

export interface CachedOptions<T> {
  readonly load: () => Promise<T>;
  /** How long a loaded value serves, in milliseconds. */
  readonly ttlMs: number;
  readonly now: () => number;
}

/** A source that failed may take long to fail again, and the platform waits 2 s only. */
const retryAfterMs = 10_000;

/**
 * Keeps what `load` gives for `ttlMs`. When a later load fails, the outdated value goes on serving, and `get` leaves the
 * source alone for 10 s: an outage of the source is no outage of ours. The first load's failure reaches the caller.
 */
export function createCached<T>({ load, ttlMs, now }: CachedOptions<T>): Cached<T> {
  let kept: { readonly value: T; readonly staleAt: number; readonly triedAt: number } | undefined;
  let loading: Promise<T> | undefined;

  const loadShared = (): Promise<T> => {
    loading ??= load()
      .then((value) => {
        kept = { value, staleAt: now() + ttlMs, triedAt: now() };
        return value;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };

  const reload = (): Promise<T> => {
    const outdated = kept;
    if (outdated === undefined) return loadShared();
    return loadShared().catch(() => {
      const staleAt = Math.max(outdated.staleAt, now() + retryAfterMs);
      kept = { value: outdated.value, staleAt, triedAt: now() };
      return outdated.value;
    });
  };

  return {
    get: () => (kept !== undefined && now() < kept.staleAt ? Promise.resolve(kept.value) : reload()),
    refresh: (minAgeMs = 0) =>
      kept !== undefined && now() - kept.triedAt < minAgeMs ? Promise.resolve(kept.value) : reload(),
  };
}
