/**
 * Creates a value on first use and keeps it, so that it does not slow down the cold start. Concurrent callers
 * share one promise. Errors and rejected promises are not kept.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const value = make();
    made = { value };
    if (value instanceof Promise) {
      value.catch(() => {
        made = undefined;
      });
    }
    return value;
  };
}

/** Creates and keeps one value per key, like `lazy`. */
export function lazyByKey<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const kept = new Map<Key, () => T>();
  return (key) => {
    const get = kept.get(key) ?? lazy(() => make(key));
    kept.set(key, get);
    return get();
  };
}
