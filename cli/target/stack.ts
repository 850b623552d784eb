import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import type { MakeClient } from "./clients.ts";

export interface Stack extends StackState {
  /** By logical id. */
  readonly resources: ReadonlyMap<string, StackResource>;
  /**
   * A queue's address, or the name of a table, function or log group.
   * @throws CliError if the stack has no such resource
   */
  physicalId(logicalId: string): string;
  /** @throws CliError if the stack has no such output */
  output(name: string): string;
}

export interface StackResource {
  /** Such as `AWS::SQS::Queue`. */
  readonly type: string;
  readonly physicalId: string;
}

/**
 * Undefined if the stack does not exist.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 */
export async function readStack(target: {
  readonly stackName: string;
  readonly title: string;
  readonly client: MakeClient;
}): Promise<Stack | undefined> {
  const { stackName: StackName, title } = target;
  const client = target.client(CloudFormationClient, "CLOUDFORMATION");
  const state = await readStackState(client, StackName);
  if (state === undefined) return undefined;
  const { outputs } = state;
  const resources = new Map<string, StackResource>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const {
      LogicalResourceId,
      PhysicalResourceId,
      ResourceType,
      ResourceStatus,
    } of StackResourceSummaries) {
      // A half-removed stack also lists its deleted resources.
      const isThere = ResourceStatus !== "DELETE_COMPLETE" && ResourceStatus !== "DELETE_SKIPPED";
      if (LogicalResourceId === undefined || PhysicalResourceId === undefined || !isThere) continue;
      resources.set(LogicalResourceId, { type: ResourceType ?? "", physicalId: PhysicalResourceId });
    }
  }
  const found = (value: string | undefined, what: string) => {
    if (value !== undefined) return value;
    throw new CliError(
      "notThere",
      "STACK_INCOMPLETE",
      `The stack ${StackName} of ${title} has no ${what}.`,
      "An older version may be deployed, or the last deploy failed. Deploy again: `npx cometchat-functions deploy`.",
    );
  };
  return {
    ...state,
    resources,
    physicalId: (logicalId) => found(resources.get(logicalId)?.physicalId, `resource ${logicalId}`),
    output: (outputName) => found(outputs[outputName], `output ${outputName}`),
  };
}
