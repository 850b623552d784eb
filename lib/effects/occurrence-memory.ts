import type { Table } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import type { OccurrenceMemory } from "../events/occurrence.ts";
import { ifNew, leastEffectDays } from "./ledger.ts";

export function createOccurrenceMemory(table: Table, effectDays = leastEffectDays): OccurrenceMemory {
  const keyOf = (name: string) => ({ id: `occurrence#${sha256Hex(name)}` });

  const readOne = async (name: string): Promise<number | undefined> => {
    const receivedAt = (await table.get(keyOf(name)))?.receivedAt;
    return typeof receivedAt === "number" ? receivedAt : undefined;
  };

  return {
    read: (names) => Promise.all(names.map(readOne)),
    claim: async (name, receivedAt) => {
      const expiration = Math.ceil((receivedAt + effectDays * 86_400_000) / 1000);
      const claimed = await table.put({ ...keyOf(name), receivedAt, expiration }, ifNew);
      // Either our own write, whose response was lost, or another delivery of the occurrence. Both have a
      // time.
      return claimed.ok ? receivedAt : ((await readOne(name)) ?? receivedAt);
    },
  };
}
