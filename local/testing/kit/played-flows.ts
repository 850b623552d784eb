import type { AwsCaller } from "../../../lib/aws/aws-call.ts";
import { parseJson } from "../../../lib/base/json.ts";
import type { FlowMarks } from "../../../lib/flows/flow-marks.ts";
import { type FlowOperator, openFlowOperator } from "../../../lib/flows/operate-flows.ts";
import type { FunctionOutcome } from "../function-run.ts";
import { tableNames } from "../simulated/aws.ts";
import type { PlayedFlow } from "../story-outcome.ts";
import { readApiRequest, readSent } from "./exchanges.ts";
import { flowsFunctionName } from "./kit-flows.ts";
import { openKitTable } from "./kit-tables.ts";
import type { Simulation } from "./simulation.ts";

const states = {
  RUNNING: "running",
  SUCCEEDED: "succeeded",
  FAILED: "failed",
  TIMED_OUT: "timed out",
  STOPPED: "stopped",
  DELETING: "stopped",
} as const;

export async function readRun(simulation: Simulation): Promise<FunctionOutcome> {
  const { exchanges, flows, lines: log, counts, edges, struck: crashed } = simulation;
  return {
    sent: exchanges.flatMap(readSent),
    requests: exchanges.map(readApiRequest),
    started: flows.started,
    flows: await showFlows(simulation),
    log,
    counts,
    edges,
    crashed,
  };
}

async function showFlows(simulation: Simulation): Promise<readonly PlayedFlow[]> {
  if (simulation.flows.started.length === 0) return [];
  const { operator } = operateKitFlows(simulation);
  return Promise.all(
    simulation.flows.started.map(async (started) => {
      const shown = await operator.show(started.id);
      const { status = "RUNNING", result = "null", cause, steps = [] } = shown ?? {};
      return { ...started, state: states[status], result: parseJson(result), cause, steps };
    }),
  );
}

export function operateKitFlows({ aws, clock, flows }: Simulation): {
  readonly operator: FlowOperator;
  readonly marks: FlowMarks;
  readonly callAws: AwsCaller;
} {
  const callAws: AwsCaller = async ({ input, rest }) => {
    const { method = "POST", path, query = "", headers = {} } = rest ?? {};
    const url = `${path}?${query}`;
    const { status, body } = flows.answer({ method, path: url, headers, body: JSON.stringify(input) });
    if (status >= 300) throw new Error(`Lambda refused ${method} ${url}: ${body}`);
    return parseJson(body);
  };
  const table = openKitTable(aws, tableNames.flows, "flow");
  return { ...openFlowOperator(table, { callAws, functionName: flowsFunctionName }, clock.now), callAws };
}
