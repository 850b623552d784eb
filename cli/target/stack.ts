import { type CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";

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

export type StackResources = Pick<Stack, "name" | "resources">;

interface StackResource {
  /** Such as `AWS::SQS::Queue`. */
  readonly type: string;
  readonly physicalId: string;
}

/**
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 * @throws CliError if the stack does not exist
 */
export async function readStack(target: {
  readonly stackName: string;
  readonly title: string;
  readonly stage: string;
  readonly cloudFormation: CloudFormationClient;
}): Promise<Stack> {
  const { stackName: StackName, title, stage, cloudFormation: client } = target;
  const state = await readStackState(client, StackName);
  if (state === undefined) {
    throw new CliError(
      "notThere",
      "NOT_DEPLOYED",
      `Nothing is deployed as ${StackName} in ${title}.`,
      `Deployed elsewhere? Name its --region. Otherwise set it up: npx cometchat-functions setup --stage ${stage}`,
    );
  }
  const resources = new Map<string, StackResource>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
    for (const one of StackResourceSummaries) {
      const { LogicalResourceId, PhysicalResourceId: physicalId, ResourceType: type = "" } = one;
      // A half-removed stack also lists its deleted resources.
      const isGone = /^DELETE_(COMPLETE|SKIPPED)$/.test(one.ResourceStatus ?? "");
      if (LogicalResourceId === undefined || physicalId === undefined || isGone) continue;
      resources.set(LogicalResourceId, { type, physicalId });
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
    output: (name) => found(state.outputs[name], `output ${name}`),
  };
}

/**
 * Undefined if the stage is not deployed.
 * @throws any other error
 */
export async function unlessNotDeployed<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof CliError && error.code === "NOT_DEPLOYED") return undefined;
    throw error;
  });
}

/** The key in serverless.yml of a function whose name begins with the stack's. */
export function shortNameOf(stackName: string, name: string): string {
  return name.startsWith(`${stackName}-`) ? name.slice(stackName.length + 1) : name;
}
