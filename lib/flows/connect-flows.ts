import type { AwsCaller } from "../aws/aws-call.ts";
import type { Table } from "../aws/table.ts";
import type { Log } from "../base/log.ts";
import type { FlowStarter } from "../effects/flow-request.ts";
import type { FlowTable } from "./define-flow.ts";
import { createDurableApi } from "./durable-api.ts";
import { createFlowMarks } from "./flow-marks.ts";
import { createFlowStarter } from "./flow-starter.ts";
import { createFlowWaits } from "./flow-waits.ts";
import type { WaitMemory } from "./wait-memory.ts";
import { createFlowWaker, type FlowWaker, type WakeServices } from "./wake-flows.ts";

/**
 * Sends no request before a flow is started or woken.
 * @param listed from `listedTriggers`
 */
export function connectFlows(
  listed: ReadonlySet<string>,
  services: {
    readonly callAws: AwsCaller;
    readonly table: Table;
    readonly functionName: string;
    readonly isOwn: WakeServices["isOwn"];
    readonly now: () => number;
    readonly log: Log;
    readonly memory: WaitMemory;
  },
): { readonly flows: FlowStarter; readonly waker: FlowWaker } {
  const { callAws, table, functionName, isOwn, now, log, memory } = services;
  const marks = createFlowMarks(table, now);
  const waits = createFlowWaits(table, now, memory);
  const callDurable = createDurableApi(callAws);
  return {
    flows: createFlowStarter({ callAws, marks, functionName }),
    waker: createFlowWaker(listed, { marks, waits, callDurable, isOwn, log, now }),
  };
}

export function listedTriggers(flows: FlowTable): ReadonlySet<string> {
  return new Set(flows.flatMap(({ waitsFor }) => waitsFor));
}
