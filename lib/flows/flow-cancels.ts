import type { Table } from "../aws/table.ts";
import { longestSeconds } from "./flow-length.ts";

/**
 * Which flows listen for cancellation. Repeatable.
 * @throws AwsCallError
 */
export interface FlowCancels {
  listen(flowId: string, callbackId: string): Promise<void>;
  /** Undefined if the flow does not listen or was notified before. */
  listener(flowId: string): Promise<string | undefined>;
  notified(flowId: string, callbackId: string): Promise<void>;
  forget(flowId: string): Promise<void>;
}

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
