import { type CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";

export type StackState = NonNullable<Awaited<ReturnType<typeof readStackState>>>;

/**
 * Undefined if the stack does not exist. May be repeated.
 * @throws the client's errors
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export async function readStackState(client: CloudFormationClient, nameOrId: string) {
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName: nameOrId }));
    const outputs = stack?.Outputs ?? [];
    return (
      stack && {
        id: stack.StackId ?? nameOrId,
        name: stack.StackName ?? nameOrId,
        /** CloudFormation's word, such as `UPDATE_COMPLETE`. */
        status: stack.StackStatus ?? "UNKNOWN",
        reason: stack.StackStatusReason,
        isProtected: stack.EnableTerminationProtection ?? false,
        /** The last change, or the creation. */
        changedAt: stack.LastUpdatedTime ?? stack.CreationTime,
        outputs: Object.fromEntries(
          outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]),
        ),
      }
    );
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** CloudFormation has no error code for it: only the text says so. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && error.name === "ValidationError" && /does not exist/.test(error.message);
}

/** For a deployment. */
type Standing =
  | "ready"
  | "busy"
  /** The first deployment failed: holds nothing, can only be deleted. */
  | "stillborn"
  /** A change and its rollback failed: continue the rollback. */
  | "stuck"
  /** Its removal has to be finished. */
  | "half-removed";

const standings: Readonly<Record<string, Standing>> = {
  REVIEW_IN_PROGRESS: "stillborn",
  ROLLBACK_COMPLETE: "stillborn",
  ROLLBACK_FAILED: "stillborn",
  CREATE_FAILED: "stillborn",
  UPDATE_ROLLBACK_FAILED: "stuck",
  DELETE_FAILED: "half-removed",
  UPDATE_FAILED: "stuck",
};

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html */
export function standingOf(status: string): Standing {
  return standings[status] ?? (status.endsWith("_IN_PROGRESS") ? "busy" : "ready");
}
