import type { Table } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import type { OccurrenceMemory } from "../events/occurrence.ts";
import { isAbsent } from "./ledger-entry.ts";

/** Longer than any delivery is acted on, counted from its receipt and not from its handling. */
const rememberedMs = 35 * 24 * 60 * 60_000;

/** Makes the memory of occurrences on the table of effects: one small item for each fact whose key can recur. */
export function createOccurrenceMemory(table: Table): OccurrenceMemory {
  // Names are made of the customers' own ids, of any length; keys of a table are not.
  const keyOf = (name: string) => ({ id: `occurrence#${sha256Hex(name)}` });

  const readOne = async (name: string): Promise<number | undefined> => {
    const receivedAt = (await table.get(keyOf(name)))?.receivedAt;
    return typeof receivedAt === "number" ? receivedAt : undefined;
  };

  return {
    read: (names) => Promise.all(names.map(readOne)),
    claim: async (name, receivedAt) => {
      const expiration = Math.ceil((receivedAt + rememberedMs) / 1000);
      const claimed = await table.put({ ...keyOf(name), receivedAt, expiration }, isAbsent);
      // Otherwise the own write whose answer was lost, or another delivery's of the same fact: either way it has a time.
      return claimed.ok ? receivedAt : ((await readOne(name)) ?? receivedAt);
    },
  };
}
