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
 * Connects the consumer to flows: it starts and wakes them. Sends no request before that.
 * @param listed from `listedTriggers`
 */
export function connectFlows(
  listed: ReadonlySet<string>,
  services: {
    readonly callAws: AwsCaller;
    /** Its key is `waits` and `flow`. */
    readonly table: Table;
    /** The deployed durable function's name. */
    readonly functionName: string;
    readonly isOwn: WakeServices["isOwn"];
    readonly now: () => number;
    readonly log: Log;
    /** This process's cache of questions without a key. */
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

/** Returns the names of the events that any flow waits for. */
export function listedTriggers(flows: FlowTable): ReadonlySet<string> {
  return new Set(flows.flatMap(({ waitsFor }) => waitsFor));
}
