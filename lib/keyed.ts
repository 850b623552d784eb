/** Values made when first asked for, one for each key. */
export interface Keyed<T> {
  get(key: string): Promise<T>;
}

/** Keeps what `make` gives for a key for good; callers at the same time share one making. A failure is not kept. */
export function createKeyed<T>(make: (key: string) => Promise<T>): Keyed<T> {
  const made = new Map<string, Promise<T>>();
  return {
    get: (key) => {
      const value =
        made.get(key) ??
        make(key).catch((error: unknown) => {
          made.delete(key);
          throw error;
        });
      made.set(key, value);
      return value;
    },
  };
}
