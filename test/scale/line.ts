/** Who comes first is served first; however long it gets, adding and taking cost the same. */
export interface Line<T> {
  add(item: T): void;
  take(): T | undefined;
  hasSome(): boolean;
}

export function createLine<T>(): Line<T> {
  let items: T[] = [];
  let head = 0;
  return {
    add: (item) => {
      items.push(item);
    },
    take: () => {
      const item = items[head];
      if (head < items.length) head += 1;
      if (head > 10_000) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    hasSome: () => head < items.length,
  };
}
