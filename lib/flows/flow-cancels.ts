import type { Table } from "../aws/table.ts";
import { longestSeconds } from "./flow-length.ts";

/**
 * Stores which flows listen for cancellation. All methods may be repeated. @throws AwsCallError if the table
 * cannot be reached
 */
export interface FlowCancels {
  /** Records that a flow listens, with its latest callback. */
  listen(flowId: string, callbackId: string): Promise<void>;
  /** Returns the callback that cancels a flow; undefined if it does not listen or was notified before. */
  listener(flowId: string): Promise<string | undefined>;
  /** Records that a flow was notified by this callback. */
  notified(flowId: string, callbackId: string): Promise<void>;
  forget(flowId: string): Promise<void>;
}

/** Uses a table whose key is `waits` and `flow`. */
export function createFlowCancels(table: Table, now: () => number): FlowCancels {
  const keyOf = (flowId: string) => ({ waits: `cancel ${flowId}`, flow: "cancel" });

  return {
    listen: async (flowId, callbackId) => {
      const expiration = Math.ceil(now() / 1000) + longestSeconds;
      await table.put({ ...keyOf(flowId), callbackId, expiration });
    },
    listener: async (flowId) => {
      const item = await table.get(keyOf(flowId));
      if (item === undefined || typeof item.callbackId !== "string" || item.isAsked === true)
        return undefined;
      return item.callbackId;
    },
    notified: async (flowId, callbackId) => {
      const isStill = {
        expression: "#callbackId = :callbackId",
        names: { "#callbackId": "callbackId" },
        values: { ":callbackId": callbackId },
      };
      await table.update(keyOf(flowId), { set: { isAsked: true } }, isStill);
    },
    forget: async (flowId) => {
      await table.delete(keyOf(flowId));
    },
  };
}
