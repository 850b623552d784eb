/** Results in the items' order. @throws the first error; items in progress continue, no further one begins */
export async function sideBySide<Item, Result>(
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
