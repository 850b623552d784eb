/** A first-in, first-out list whose ends cost the same however long it is. */
export type Fifo<T> = { push(item: T): void; shift(): T | undefined; length(): number };

/** Creates an empty list. `Array.shift` copies the rest each time, which a burst of thousands would feel. */
export function createFifo<T>(): Fifo<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      head += 1;
      if (head > 1_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    length: () => items.length - head,
  };
}
