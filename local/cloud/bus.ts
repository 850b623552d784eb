export type Bus<T> = ReturnType<typeof createBus<T>>;

export function createBus<T = void>() {
  const listeners = new Set<(news: T) => void>();
  return {
    publish(news: T) {
      for (const listener of listeners) listener(news);
    },
    subscribe(listener: (news: T) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
