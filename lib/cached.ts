/** A value that is loaded when first asked for and kept for a while. */
export interface Cached<T> {
  /** Gives the kept value, or loads it; callers at the same time share one load. A failed load is not kept. */
  get(): Promise<T>;
  /** Loads again, unless the kept value is younger than `minAgeMs`; gives the newest value. */
  refresh(minAgeMs?: number): Promise<T>;
}

export interface CachedOptions<T> {
  readonly load: () => Promise<T>;
  /** How long a loaded value serves, in milliseconds. */
  readonly ttlMs: number;
  readonly now: () => number;
}

/**
 * Keeps what `load` gives for `ttlMs`. When a later load fails, the outdated value goes on serving:
 * a short outage of the source is no outage of ours. The first load's failure reaches the caller.
 */
export function createCached<T>({ load, ttlMs, now }: CachedOptions<T>): Cached<T> {
  let kept: { readonly value: T; readonly loadedAt: number } | undefined;
  let loading: Promise<T> | undefined;

  const loadShared = (): Promise<T> => {
    loading ??= load()
      .then((value) => {
        kept = { value, loadedAt: now() };
        return value;
      })
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };

  const reload = (): Promise<T> => {
    const outdated = kept;
    return outdated === undefined ? loadShared() : loadShared().catch(() => outdated.value);
  };

  return {
    get: () => (kept !== undefined && now() - kept.loadedAt < ttlMs ? Promise.resolve(kept.value) : reload()),
    refresh: (minAgeMs = 0) =>
      kept !== undefined && now() - kept.loadedAt < minAgeMs ? Promise.resolve(kept.value) : reload(),
  };
}
