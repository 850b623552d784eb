import { isPromise } from "./realm.ts";

/**
 * Makes a value at first use, outside the cold start. Concurrent callers share one promise; errors are not
 * kept.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    if (made !== undefined) return made.value;
    const value = make();
    made = { value };
    if (isPromise(value)) {
      value.catch(() => {
        made = undefined;
      });
    }
    return value;
  };
}

export function lazyByKey<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const kept = new Map<Key, () => T>();
  return (key) => {
    const get = kept.get(key) ?? lazy(() => make(key));
    kept.set(key, get);
    return get();
  };
}
