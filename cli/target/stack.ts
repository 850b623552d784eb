import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { MakeClient } from "./clients.ts";

/** The deployed stack of a stage. */
export interface Stack {
  readonly name: string;
  /** CloudFormation's word, such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** All resources by their logical id. */
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
 * Reads a stack from CloudFormation; undefined if there is none.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStackResources.html
 */
export async function readStack(target: {
  readonly stackName: string;
  readonly title: string;
  readonly client: MakeClient;
}): Promise<Stack | undefined> {
  const { stackName: name, title } = target;
  const client = target.client(CloudFormationClient, "CLOUDFORMATION");
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    if (stack === undefined) return undefined;
    const resources = new Map<string, StackResource>();
    for await (const page of paginateListStackResources({ client }, { StackName: name })) {
      for (const resource of page.StackResourceSummaries ?? []) {
        const { LogicalResourceId, PhysicalResourceId, ResourceType, ResourceStatus } = resource;
        // A half-removed stack also lists its deleted resources.
        const isThere = ResourceStatus !== "DELETE_COMPLETE" && ResourceStatus !== "DELETE_SKIPPED";
        if (LogicalResourceId === undefined || PhysicalResourceId === undefined || !isThere) continue;
        resources.set(LogicalResourceId, { type: ResourceType ?? "", physicalId: PhysicalResourceId });
      }
    }
    const outputs = Object.fromEntries(
      (stack.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]),
    );
    const missing = (what: string) =>
      new CliError(`The stack ${name} of ${title} has no ${what}.`, {
        code: "STACK_INCOMPLETE",
        exitCode: exitCodes.notThere,
        hint: "An older version may be deployed, or the last deploy failed. Deploy again: `npx cometchat-functions deploy`.",
      });
    return {
      name,
      status: stack.StackStatus ?? "UNKNOWN",
      outputs,
      resources,
      physicalId: (logicalId) => {
        const resource = resources.get(logicalId);
        if (resource === undefined) throw missing(`resource ${logicalId}`);
        return resource.physicalId;
      },
      output: (outputName) => {
        const value = outputs[outputName];
        if (value === undefined) throw missing(`output ${outputName}`);
        return value;
      },
    };
  } catch (error) {
    if (isUnknownStack(error)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/** CloudFormation has no error code for it: a ValidationError says "Stack with id … does not exist". */
function isUnknownStack(error: unknown): boolean {
  return error instanceof Error && error.name === "ValidationError" && /does not exist/.test(error.message);
}
