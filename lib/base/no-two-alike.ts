import type * as z from "zod/mini";

export function noTwoAlike<Key extends string>(key: Key, what: string) {
  return ({ value, issues }: z.core.ParsePayload<Readonly<Record<Key, string>>[]>): void => {
    const first = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const earlier = first.get(item[key]);
      if (earlier === undefined) first.set(item[key], index);
      else {
        const message = `${what} (number ${earlier + 1} of the list)`;
        issues.push({ code: "custom", input: item[key], path: [index, key], message });
      }
    }
  };
}
