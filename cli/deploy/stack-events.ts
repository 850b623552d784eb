import {
  type CloudFormationClient,
  DescribeStackEventsCommand,
  paginateDescribeStackEvents,
  paginateListStacks,
  type StackEvent,
  type StackStatus,
} from "@aws-sdk/client-cloudformation";
import type { WorkContext } from "../command.ts";
import { readStackState, type StackState, standingOf } from "../stack/stack-state.ts";

/**
 * Newest first, page by page. May be repeated.
 * @throws the client's errors
 */
export async function readEvents(
  client: CloudFormationClient,
  StackName: string,
  sinceMs: number,
): Promise<readonly StackEvent[]> {
  const found: StackEvent[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName })) {
    const recent = StackEvents.filter((event) => timeOf(event) >= sinceMs);
    found.push(...recent);
    if (recent.length < StackEvents.length) break;
  }
  return found;
}

/**
 * Those of the stage's stacks of these statuses: CloudFormation lists deleted stacks for 90 days.
 * @throws the client's errors
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStacks.html
 */
export async function readPastEvents(
  { target }: WorkContext,
  StackStatusFilter: StackStatus[],
  sinceMs: number,
): Promise<readonly StackEvent[]> {
  const found: StackEvent[] = [];
  for await (const { StackSummaries = [] } of paginateListStacks(
    { client: target.cloudFormation },
    { StackStatusFilter },
  )) {
    for (const { StackId, StackName, DeletionTime } of StackSummaries) {
      const isRecent = DeletionTime === undefined || DeletionTime.getTime() >= sinceMs;
      if (StackId === undefined || StackName !== target.stackName || !isRecent) continue;
      found.push(...(await readEvents(target.cloudFormation, StackId, sinceMs)));
    }
  }
  return found;
}

/**
 * The time after the last event, by AWS's clock: the operator's may differ. May be repeated.
 * @throws the client's errors
 */
export async function endOfEvents(client: CloudFormationClient, StackName: string): Promise<number> {
  const { StackEvents: [newest] = [] } = await client.send(new DescribeStackEventsCommand({ StackName }));
  return newest === undefined ? 0 : timeOf(newest) + 1;
}

export function timeOf({ Timestamp }: StackEvent): number {
  return Timestamp?.getTime() ?? 0;
}

/** Oldest first, without those that CloudFormation cancelled because of them. */
export function failuresOf(events: readonly StackEvent[]): readonly StackEvent[] {
  return events
    .filter(
      ({ ResourceStatus, ResourceStatusReason = "" }) =>
        ResourceStatus?.endsWith("_FAILED") &&
        !/cancelled|^The following resource/i.test(ResourceStatusReason),
    )
    .toSorted((one, other) => timeOf(one) - timeOf(other));
}

const everyMs = 3_000;
/** AWS's clock and the operator's differ. */
const clockLeewayMs = 60_000;

/**
 * Waits until nothing is in progress; undefined if the stack is gone. Only reads: may be stopped and started
 * at any time.
 * @throws the client's errors
 */
export async function watchStack(
  { edges, out, target: { cloudFormation } }: WorkContext,
  stackId: string,
): Promise<StackState | undefined> {
  const sinceMs = edges.now() - clockLeewayMs;
  const told = new Set<string | undefined>();
  for (;;) {
    // First, so that the next read includes all earlier events.
    const state = await readStackState(cloudFormation, stackId);
    if (state === undefined) return undefined;
    const events = (await readEvents(cloudFormation, stackId, sinceMs)).toReversed();
    for (const { EventId, ResourceStatus, ResourceType, LogicalResourceId } of events) {
      if (!told.has(EventId)) out.progress(`${ResourceStatus}  ${ResourceType}  ${LogicalResourceId}`);
      told.add(EventId);
    }
    if (state.status === "DELETE_COMPLETE") return undefined;
    if (standingOf(state.status) !== "busy") return state;
    edges.signal.throwIfAborted();
    await edges.sleep(everyMs, edges.signal);
  }
}
