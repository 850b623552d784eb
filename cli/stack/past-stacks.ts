import {
  type CloudFormationClient,
  paginateListStacks,
  type StackStatus,
} from "@aws-sdk/client-cloudformation";

/** A stack of which CloudFormation remembers something, also one that is deleted. */
export interface PastStack {
  readonly id: string;
  /** When it was deleted, or else changed last. */
  readonly atMs: number;
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
    for (const { StackId: id, StackName, DeletionTime, LastUpdatedTime } of page.StackSummaries ?? []) {
      if (StackName !== name || id === undefined) continue;
      found.push({ id, atMs: (DeletionTime ?? LastUpdatedTime)?.getTime() ?? 0 });
    }
  }
  return found.toSorted((one, other) => other.atMs - one.atMs);
}
