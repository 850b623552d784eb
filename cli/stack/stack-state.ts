import { type CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";

export interface StackState {
  readonly id: string;
  readonly name: string;
  /** CloudFormation's word, such as `UPDATE_COMPLETE`. */
  readonly status: string;
  readonly reason: string | undefined;
  readonly isProtected: boolean;
  /** The last change, or the creation. */
  readonly changedAt: Date | undefined;
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * Undefined if the stack does not exist. May be repeated.
 * @throws the client's errors
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export async function readStackState(
  client: CloudFormationClient,
  nameOrId: string,
): Promise<StackState | undefined> {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: nameOrId }));
    if (stack === undefined) return undefined;
    return {
      id: stack.StackId ?? nameOrId,
      name: stack.StackName ?? nameOrId,
      status: stack.StackStatus ?? "UNKNOWN",
      reason: stack.StackStatusReason,
      isProtected: stack.EnableTerminationProtection ?? false,
      changedAt: stack.LastUpdatedTime ?? stack.CreationTime,
      outputs: Object.fromEntries(
        (stack.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]),
      ),
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** CloudFormation has no error code for it: only the text says so. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === "ValidationError" && /does not exist/.test(error.message);
}
