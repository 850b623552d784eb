import { type Table, when } from "../aws/table.ts";
import { longestSeconds } from "./flow-length.ts";

export type FlowCancels = ReturnType<typeof createFlowCancels>;

/** Which flows listen for cancellation. Repeatable. Methods throw AwsCallError. */
export function createFlowCancels(table: Table, now: () => number) {
  const keyOf = (flowId: string) => ({ waits: `cancel ${flowId}`, flow: "cancel" });

  return {
    listen: async (flowId: string, callbackId: string): Promise<void> => {
      const expiration = Math.ceil(now() / 1000) + longestSeconds;
      await table.put({ ...keyOf(flowId), callbackId, expiration });
    },
    /** Undefined if the flow does not listen or was notified. */
    listener: async (flowId: string): Promise<string | undefined> => {
      const { callbackId, isAsked } = (await table.get(keyOf(flowId))) ?? {};
      return typeof callbackId === "string" && isAsked !== true ? callbackId : undefined;
    },
    notified: async (flowId: string, callbackId: string): Promise<void> => {
      const isStill = when("#callbackId = :callbackId", { callbackId });
      await table.update(keyOf(flowId), { set: { isAsked: true } }, isStill);
    },
    forget: async (flowId: string): Promise<void> => {
      await table.delete(keyOf(flowId));
    },
  };
}
