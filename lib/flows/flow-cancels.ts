import type { Table } from "../aws/table.ts";
import { longestSeconds } from "./flow-length.ts";

/**
 * Remembers which flows want to be told that they are to end.
 * All throw AwsCallError when the table cannot be reached; all may be repeated.
 */
export interface FlowCancels {
  /** Says that a flow listens, by its latest callback. */
  listen(flowId: string, callbackId: string): Promise<void>;
  /** Asks a flow to end: gives the callback that tells it; undefined where it does not listen, or was asked before. */
  ask(flowId: string): Promise<string | undefined>;
  forget(flowId: string): Promise<void>;
}

/** Keeps them on a table whose key is `waits` and `flow`. */
export function createFlowCancels(table: Table, now: () => number): FlowCancels {
  const keyOf = (flowId: string) => ({ waits: `cancel ${flowId}`, flow: "cancel" });

  return {
    listen: async (flowId, callbackId) => {
      const expiration = Math.ceil(now() / 1000) + longestSeconds;
      await table.put({ ...keyOf(flowId), callbackId, expiration });
    },
    ask: async (flowId) => {
      const item = await table.get(keyOf(flowId));
      if (item === undefined || typeof item.callbackId !== "string" || item.isAsked === true)
        return undefined;
      await table.update(keyOf(flowId), { set: { isAsked: true } });
      return item.callbackId;
    },
    forget: async (flowId) => {
      await table.delete(keyOf(flowId));
    },
  };
}
