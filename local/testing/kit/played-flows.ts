import { parseJson } from "../../../lib/base/json.ts";
import type { CallDurable } from "../../../lib/flows/durable-api.ts";
import type { FlowMarks } from "../../../lib/flows/flow-marks.ts";
import { type FlowOperator, openFlowOperator } from "../../../lib/flows/operate-flows.ts";

import type { PlayedFlow } from "../story-outcome.ts";
import { tableNames } from "../world/aws.ts";
import { flowsFunctionName } from "./kit-flows.ts";
import { openKitTable } from "./kit-tables.ts";
import type { Simulation } from "./simulation.ts";

const states = {
  RUNNING: "running",
  SUCCEEDED: "succeeded",
  FAILED: "failed",
  TIMED_OUT: "timed out",
  STOPPED: "stopped",
} as const;

/** Returns each started flow, as an operator sees it. */
export async function showFlows(world: Simulation): Promise<readonly PlayedFlow[]> {
  if (world.flows.started.length === 0) return [];
  const { operator } = operateKitFlows(world);
  return Promise.all(
    world.flows.started.map(async (started) => {
      const shown = await operator.show(started.id);
      const { status = "RUNNING", result = "null", cause, steps = [] } = shown ?? {};
      return { ...started, state: states[status], result: parseJson(result), cause, steps };
    }),
  );
}

export function operateKitFlows({ aws, clock, flows }: Simulation): {
  readonly operator: FlowOperator;
  readonly marks: FlowMarks;
} {
  const callDurable: CallDurable = async (_name, { method, parts, query = {} }, input = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) search.set(name, String(value));
    const path = `/2025-12-01/${parts.map(encodeURIComponent).join("/")}?${search}`;
    const { status, body } = flows.answer({ method, path, headers: {}, body: JSON.stringify(input) });
    if (status >= 300) throw new Error(`Lambda refused ${method} ${path}: ${body}`);
    return parseJson(body);
  };
  const table = openKitTable(aws, tableNames.flows, "flow");
  return openFlowOperator(table, { callDurable, functionName: flowsFunctionName }, clock.now);
}
