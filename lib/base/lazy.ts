/**
 * Makes something when it is first asked for, and keeps it: for what would cost every cold start if it were made when
 * its module is loaded. Callers at the same time share one promise; a failure is not kept, a rejected promise included.
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

/** Makes and keeps one thing for each key, as `lazy` does. */
export function lazyByKey<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const kept = new Map<Key, () => T>();
  return (key) => {
    const get = kept.get(key) ?? lazy(() => make(key));
    kept.set(key, get);
    return get();
  };
}
