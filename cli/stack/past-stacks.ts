import {
  type CloudFormationClient,
  paginateListStacks,
  type StackStatus,
} from "@aws-sdk/client-cloudformation";

/** A stack of which CloudFormation remembers something, also one that is deleted. */
export interface PastStack {
  readonly id: string;
  /** Undefined as long as it is there. */
  readonly deletedAtMs: number | undefined;
}

/**
 * Lists the stacks that have or had a name and are in one of some states, newest first; CloudFormation tells of deleted ones
 * for 90 days. May be repeated. @throws what the client throws
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
