export function createHeap<T>(isBefore: (one: T, other: T) => boolean) {
  const items: T[] = [];

  const swap = (one: number, other: number, first: T, second: T) => {
    items[one] = second;
    items[other] = first;
  };
  const siftUp = (start: number) => {
    for (let index = start; index > 0; ) {
      const parent = (index - 1) >> 1;
      const [item, above] = [items[index], items[parent]];
      if (item === undefined || above === undefined || !isBefore(item, above)) return;
      swap(index, parent, item, above);
      index = parent;
    }
  };
  const siftDown = () => {
    for (let index = 0; ; ) {
      const left = 2 * index + 1;
      const [item, one, other] = [items[index], items[left], items[left + 1]];
      if (item === undefined || one === undefined) return;
      const [child, below] = other !== undefined && isBefore(other, one) ? [left + 1, other] : [left, one];
      if (!isBefore(below, item)) return;
      swap(index, child, item, below);
      index = child;
    }
  };

  return {
    push(item: T) {
      items.push(item);
      siftUp(items.length - 1);
    },
    peek: () => items[0],
    pop() {
      const [first] = items;
      const last = items.pop();
      if (items.length > 0 && last !== undefined) {
        items[0] = last;
        siftDown();
      }
      return first;
    },
  };
}
