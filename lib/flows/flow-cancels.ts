import { type Table, when } from "../aws/table.ts";
import { sha256Hex } from "../base/digest.ts";
import { longestSeconds } from "./flow.ts";

export type FlowCancels = ReturnType<typeof createFlowCancels>;

/**
 * Stores the callbacks of flows that listen for cancellation. `flowId` is the first execution's. Repeatable.
 * Methods throw AwsCallError.
 */
export function createFlowCancels(table: Table, now: () => number) {
  const keyOf = (flowId: string) => ({ waits: `cancel ${flowId}`, flow: "cancel" });
  const isListening = when("attribute_exists(#flow)");

  return {
    /** Returns true if the flow is already cancelled: the callback may never be completed. */
    listen: async (flowId: string, callbackId: string) => {
      const expiration = Math.ceil(now() / 1000) + longestSeconds;
      const set = { [attributeOf(callbackId)]: callbackId, expiration };
      const written = await table.update(keyOf(flowId), { set });
      return written.ok && written.item?.isCancelled === true;
    },
    /** The flow may add others. */
    leave: async (flowId: string, callbackIds: readonly string[]) => {
      if (callbackIds.length === 0) return;
      await table.update(keyOf(flowId), { remove: callbackIds.map(attributeOf) }, isListening);
    },
    /**
     * Completes the callbacks of a flow that has listened at least once.
     * @param complete must be repeatable: the next request repeats it after a failure
     * @returns false if the flow never listened, or cancellation was requested before
     */
    request: async (flowId: string, complete: (callbackId: string) => Promise<void>) => {
      const key = keyOf(flowId);
      const known = await table.get(key);
      if (known === undefined || known.isAsked === true) return false;
      // A flow that begins to listen reads this.
      const written = await table.update(key, { set: { isCancelled: true } }, isListening);
      if (!written.ok) return false;
      const callbackIds = Object.entries(written.item ?? {}).flatMap(readCallback);
      await Promise.all(callbackIds.map(complete));
      await table.update(key, { set: { isAsked: true } }, isListening);
      return true;
    },
    forget: async (flowId: string) => {
      await table.delete(keyOf(flowId));
    },
  };
}

const callbackName = "callbackId ";

function attributeOf(callbackId: string) {
  return `${callbackName}${sha256Hex(callbackId).slice(0, 16)}`;
}

function readCallback([name, value]: readonly [string, unknown]): readonly string[] {
  return name.startsWith(callbackName) && typeof value === "string" ? [value] : [];
}
