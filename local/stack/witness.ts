const keptEvents = 1000;

export function createWitness<T>() {
  const events: T[] = [];
  const waiting = new Set<(event: T) => void>();
  return {
    note(event: T) {
      events.push(event);
      if (events.length > keptEvents) events.shift();
      for (const look of [...waiting]) look(event);
    },
    /** Resolves with the first match. Rejects after `timeoutMs`. */
    first: <Picked>(pick: (event: T) => Picked | undefined, timeoutMs: number) =>
      new Promise<Picked>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`It did not happen within ${timeoutMs / 1000} s.`));
        }, timeoutMs);
        const look = (event: T) => {
          const picked = pick(event);
          if (picked === undefined) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(picked);
        };
        waiting.add(look);
        for (const event of events) look(event);
      }),
  };
}
