import * as z from "zod/mini";
import { AwsCallError } from "../../lib/aws/aws-call.ts";
import { createDurableApi } from "../../lib/flows/durable-api.ts";
import { CliError } from "../cli-error.ts";
import type { ResourceChange } from "../stack/changes.ts";
import type { Target } from "../target/target.ts";

type FlowsOf = Target;

const listSchema = z.object({ DurableExecutions: z.array(z.unknown()) });

/**
 * Changes nothing. May be repeated.
 * @throws AwsCallError
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_ListDurableExecutionsByFunction.html
 */
async function listRunning({ callAws, stackName }: FlowsOf): Promise<number> {
  const address = {
    method: "GET",
    parts: ["functions", `${stackName}-flows`, "durable-executions"],
    query: { Statuses: "RUNNING", MaxItems: 100 },
  } as const;
  const answer = await createDurableApi(callAws)("ListDurableExecutionsByFunction", address);
  return listSchema.parse(answer).DurableExecutions.length;
}

/**
 * False if Lambda of this region does not know the operation; undefined if that is unknown. AWS documents
 * neither a list of regions nor this answer for them: it is Lambda's answer to other unknown operations.
 * https://repost.aws/knowledge-center/api-gateway-lambda-template-invoke-error
 */
export async function hasDurableFunctions(target: FlowsOf): Promise<boolean | undefined> {
  try {
    await listRunning(target);
    return true;
  } catch (error) {
    if (!(error instanceof AwsCallError)) throw error;
    if (error.code.startsWith("ResourceNotFound")) return true;
    const isUnknown = error.said?.includes("Unable to determine service/operation name") === true;
    return isUnknown || error.code.startsWith("UnknownOperation") ? false : undefined;
  }
}

/** @throws CliError if flows run on a function that would be deleted, unless that is allowed */
export async function refuseEndingFlows(
  target: FlowsOf,
  changes: readonly ResourceChange[],
  isAllowed: boolean,
): Promise<void> {
  const isDeleted = changes.some(
    ({ logicalId, action }) =>
      logicalId === "FlowsLambdaFunction" && (action === "remove" || action === "replace"),
  );
  if (!isDeleted || isAllowed) return;
  const count = await listRunning(target);
  if (count === 0) return;
  throw new CliError(
    "refused",
    "FLOWS_RUN",
    `This would delete the function of flows, and ${count === 100 ? "100 or more" : count} of them run. Nothing was changed.`,
    "Wait for their end, or cancel them (docs/flows.md). To end them with the function, add --allow-loss.",
  );
}
