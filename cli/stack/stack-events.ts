import {
  type CloudFormationClient,
  DescribeStackEventsCommand,
  paginateDescribeStackEvents,
  type StackEvent,
} from "@aws-sdk/client-cloudformation";

/** Of a stack or one of its resources. */
export interface StackHappening {
  readonly id: string;
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly atMs: number;
}

/**
 * Newest first, page by page. May be repeated.
 * @throws the client's errors
 */
export async function readHappenings(
  client: CloudFormationClient,
  stackId: string,
  sinceMs: number,
): Promise<readonly StackHappening[]> {
  const found: StackHappening[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: stackId })) {
    const happenings = StackEvents.map(toHappening);
    found.push(...happenings.filter(({ atMs }) => atMs >= sinceMs));
    if (happenings.some(({ atMs }) => atMs < sinceMs)) break;
  }
  return found;
}

/**
 * By AWS's clock: the operator's may differ. May be repeated.
 * @throws the client's errors
 */
export async function endOfHappenings(
  client: CloudFormationClient,
  stackId: string | undefined,
): Promise<number> {
  if (stackId === undefined) return 0;
  const { StackEvents: [newest] = [] } = await client.send(
    new DescribeStackEventsCommand({ StackName: stackId }),
  );
  return (newest?.Timestamp?.getTime() ?? -1) + 1;
}

function toHappening(event: StackEvent): StackHappening {
  return {
    id: event.EventId ?? "",
    logicalId: event.LogicalResourceId ?? "",
    physicalId: event.PhysicalResourceId ?? "",
    type: event.ResourceType ?? "",
    status: event.ResourceStatus ?? "",
    reason: event.ResourceStatusReason,
    atMs: event.Timestamp?.getTime() ?? 0,
  };
}
