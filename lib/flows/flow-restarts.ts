import type { Table } from "../aws/table.ts";
import { inParts } from "../base/batching.ts";
import { rememberedSeconds } from "./flow-waits.ts";

export type FlowRestarts = ReturnType<typeof createFlowRestarts>;

/** Repeatable. Methods throw AwsCallError. */
export function createFlowRestarts(table: Table, now: () => number) {
  const keyOf = (id: string) => ({ waits: `restart ${id}`, flow: "started" });
  return {
    startedFor: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
      const started = new Map<string, string>();
      for (const part of inParts(ids, keysPerRead))
        for (const { id, newId } of await table.batchGet(part.map(keyOf))) started.set(`${id}`, `${newId}`);
      return started;
    },
    noteStart: async (id: string, newId: string) => {
      const expiration = Math.ceil(now() / 1000) + rememberedSeconds;
      await table.put({ ...keyOf(id), id, newId, expiration });
    },
  };
}

const keysPerRead = 100;
