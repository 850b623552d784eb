/** Splits a list in order. The last part may be smaller. */
export function inParts<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, part) => items.slice(part * size, (part + 1) * size));
}

/**
 * Returns the results in the items' order. @throws the first error; items in progress continue, no further
 * one begins
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  let isFailed = false;
  const workOn = async () => {
    for (const [index, item] of left) {
      if (isFailed) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workOn));
  return results;
}

/** @throws the first error, after all were tried */
export async function tryEach<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  await mapConcurrently(items, atOnce, (item) => work(item).catch((error) => errors.push(error)));
  if (errors.length > 0) throw errors[0];
}

/**
 * Starts elsewhere each quarter of an hour, and each day at the same time: both steps are near the golden
 * ratio (96 * 0.621021 = 59.618), so few runs start everywhere.
 */
export function startElsewhere<Item>(items: readonly Item[], nowMs: number): readonly Item[] {
  const first = Math.floor(((Math.floor(nowMs / 900_000) * 0.621_021) % 1) * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}
