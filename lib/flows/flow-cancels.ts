import type { Table } from "../aws/table.ts";
import { longestSeconds } from "./flow-length.ts";

/**
 * Remembers which flows want to be told that they are to end.
 * All throw AwsCallError when the table cannot be reached; all may be repeated.
 */
export interface FlowCancels {
  /** Says that a flow listens, by its latest callback. */
  listen(flowId: string, callbackId: string): Promise<void>;
  /** Gives the callback that tells a flow to end; undefined where it does not listen, or was told before. */
  listener(flowId: string): Promise<string | undefined>;
  /** Says that a flow was told by this callback. */
  told(flowId: string, callbackId: string): Promise<void>;
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
    listener: async (flowId) => {
      const item = await table.get(keyOf(flowId));
      if (item === undefined || typeof item.callbackId !== "string" || item.isAsked === true)
        return undefined;
      return item.callbackId;
    },
    told: async (flowId, callbackId) => {
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
