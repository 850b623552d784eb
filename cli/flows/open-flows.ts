import { createTable } from "../../lib/aws/create-table.ts";
import { type FlowOperator, openFlowOperator } from "../../lib/flows/operate-flows.ts";
import { CliError, notThere } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import { pacedCalls } from "../target/paced-calls.ts";

/** @returns undefined for a stage with `flows: off` */
export async function findFlows(context: WorkContext, callAws = pacedCalls(context)) {
  const { target, edges } = context;
  const { physicalId, resources } = await target.stack();
  const functionName = resources.get("FlowsLambdaFunction")?.physicalId;
  if (functionName === undefined) return undefined;
  const table = createTable({ callAws, tableName: physicalId("FlowsTable"), sortKey: "flow" });
  const waitForStep = createWaitForStep(context);
  return openFlowOperator(table, { callAws, functionName, waitForStep }, edges.now).operator;
}

interface WaitForStepContext {
  readonly out: Pick<Output, "progress">;
  readonly edges: Pick<CliEdges, "sleep" | "signal">;
}

export function createWaitForStep({ out, edges: { sleep, signal } }: WaitForStepContext) {
  return async (id: string, ms: number) => {
    out.progress(`The flow ${id} is stopped: waiting for its running step to end, for 2.5 minutes at most`);
    await sleep(ms, signal);
    if (!signal.aborted) return;
    throw new CliError(
      "interrupted",
      "INTERRUPTED",
      `Interrupted. The flow ${id} is stopped; its running step may still store that it waits for events.`,
      `Remove that in 2.5 minutes: npx cometchat-functions flows ${id} --cancel`,
    );
  };
}

export async function openFlows(context: WorkContext): Promise<FlowOperator> {
  const flows = await findFlows(context);
  if (flows !== undefined) return flows;
  throw notThere(
    "NO_FLOWS",
    `${context.target.title} has no flows.`,
    "config/stages.yml has flows: off for it.",
  );
}

export function unknownFlow(id: string): CliError {
  return notThere(
    "NO_SUCH_FLOW",
    `There is no flow "${id}".`,
    "See those that run: npx cometchat-functions flows",
  );
}
