import { type CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { isMissingStack } from "./is-missing-stack.ts";

/** The current state of a stack. */
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

/** Reads a stack by name or id; undefined if there is none. May be repeated. @throws the client's errors */
export async function readStackState(
  client: CloudFormationClient,
  nameOrId: string,
): Promise<StackState | undefined> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: nameOrId }));
    const [stack] = Stacks;
    if (stack === undefined) return undefined;
    return {
      id: stack.StackId ?? nameOrId,
      name: stack.StackName ?? nameOrId,
      status: stack.StackStatus ?? "UNKNOWN",
      reason: stack.StackStatusReason,
      isProtected: stack.EnableTerminationProtection ?? false,
      changedAt: stack.LastUpdatedTime ?? stack.CreationTime,
      outputs: Object.fromEntries(
        (stack.Outputs ?? []).flatMap(({ OutputKey, OutputValue }) =>
          OutputKey === undefined || OutputValue === undefined ? [] : [[OutputKey, OutputValue]],
        ),
      ),
    };
  } catch (error) {
    if (isMissingStack(error)) return undefined;
    throw error;
  }
}
