export interface Index<Key, Value> {
  get(key: Key): readonly Value[];
  add(key: Key, value: Value): void;
  delete(key: Key, value: Value): void;
  clear(): void;
}

/** Values in the order of addition. */
export function createIndex<Key, Value>(): Index<Key, Value> {
  const sets = new Map<Key, Set<Value>>();
  return {
    get: (key) => [...(sets.get(key) ?? [])],
    add(key, value) {
      const set = sets.get(key) ?? new Set();
      sets.set(key, set.add(value));
    },
    delete(key, value) {
      const set = sets.get(key);
      set?.delete(value);
      if (set?.size === 0) sets.delete(key);
    },
    clear: () => sets.clear(),
  };
}
