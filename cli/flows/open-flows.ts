import { createTable } from "../../lib/aws/create-table.ts";
import { createDurableApi } from "../../lib/flows/durable-api.ts";
import { type FlowOperator, openFlowOperator } from "../../lib/flows/operate-flows.ts";
import { type CliError, notThere } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { pacedCalls } from "../target/paced-calls.ts";

/** @returns undefined for a stage with `flows: off` */
export async function findFlows(context: WorkContext, callAws = pacedCalls(context)) {
  const { target, edges } = context;
  const { physicalId, resources } = await target.stack();
  const functionName = resources.get("FlowsLambdaFunction")?.physicalId;
  if (functionName === undefined) return undefined;
  const table = createTable({ callAws, tableName: physicalId("FlowsTable"), sortKey: "flow" });
  return openFlowOperator(table, { callDurable: createDurableApi(callAws), functionName }, edges.now)
    .operator;
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
