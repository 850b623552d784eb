import {
  type CloudFormationClient,
  paginateListStacks,
  type StackStatus,
} from "@aws-sdk/client-cloudformation";

export interface PastStack {
  readonly id: string;
  /** Undefined while it exists. */
  readonly deletedAtMs: number | undefined;
}

/**
 * Newest first; CloudFormation lists deleted stacks for 90 days. May be repeated.
 * @throws the client's errors
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStacks.html
 */
export async function listPastStacks(
  client: CloudFormationClient,
  name: string,
  statuses: readonly StackStatus[],
): Promise<readonly PastStack[]> {
  const found: PastStack[] = [];
  for await (const page of paginateListStacks({ client }, { StackStatusFilter: [...statuses] })) {
    for (const { StackId: id, StackName, DeletionTime } of page.StackSummaries ?? []) {
      if (StackName === name && id !== undefined) found.push({ id, deletedAtMs: DeletionTime?.getTime() });
    }
  }
  const timeOf = ({ deletedAtMs = Number.POSITIVE_INFINITY }: PastStack) => deletedAtMs;
  return found.toSorted((one, other) => timeOf(other) - timeOf(one));
}
