import {
  type CloudFormationClient,
  ContinueUpdateRollbackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  paginateDescribeStackEvents,
  paginateListStacks,
  type StackEvent,
  type StackStatus,
} from "@aws-sdk/client-cloudformation";
import { partlyDone, refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { readStackState, removeCommand, type StackState, standingOf } from "../target/target.ts";

/**
 * Waits for a running change, continues a stuck rollback, deletes a failed first deployment; asks before the
 * last two. May be repeated. A rehearsal changes nothing.
 * @returns undefined without a stack
 * @throws CliError, in a rehearsal also if the changes cannot be determined now
 */
export async function makeReady(context: WorkContext, isRehearsal = false, onWait?: () => void) {
  const { target, confirm, out } = context;
  const { cloudFormation } = target;
  for (;;) {
    const state = await readStackState(cloudFormation, target.stackName);
    if (state === undefined) return undefined;
    const { id: StackName, name, status, reason } = state;
    const standing = standingOf(status);
    if (standing === "ready") return state;
    if (standing === "half-removed") {
      throw refused(
        "HALF_REMOVED",
        `${name} is half removed${reason === undefined ? "" : `: ${reason}`}.`,
        `Finish the removal first: ${removeCommand(target)}`,
      );
    }
    if (isRehearsal && standing !== "stillborn") throw notReady(state, standing, target.stage);
    if (standing === "busy") {
      out.note(`${name} is ${status}: a change is in progress. Waiting until it is over.`);
      onWait?.();
      await watchStack(context, StackName);
    } else if (standing === "stuck") {
      await confirm(`${name} is ${status}: a change and its rollback failed. Continue the rollback?`);
      const afterMs = await endOfEvents(cloudFormation, StackName);
      await cloudFormation.send(new ContinueUpdateRollbackCommand({ StackName }));
      refuseStuck(await watchStack(context, StackName, afterMs));
    } else if (isRehearsal) {
      out.note(`${name} is ${status}: its first deployment failed, and it would be deleted first.`);
      return undefined;
    } else {
      await confirm(`${name} is ${status}: its first deployment failed, and it holds nothing. Delete it?`);
      const afterMs = await endOfEvents(cloudFormation, StackName);
      await cloudFormation.send(new DeleteStackCommand({ StackName }));
      const left = await watchStack(context, StackName, afterMs);
      if (left === undefined) continue;
      throw partlyDone(
        "NOT_DELETED",
        `${name} could not be deleted: ${left.reason ?? left.status}`,
        "Fix the cause, and run this again.",
      );
    }
  }
}

function notReady({ name, status }: StackState, standing: "busy" | "stuck", stage: string) {
  return refused(
    "NOT_READY",
    `${name} is ${status}: it cannot be determined now what would change.`,
    standing === "busy"
      ? "A change is in progress: repeat it when it is over."
      : `A change and its rollback failed. Continue the rollback: npx cometchat-functions deploy --stage ${stage}`,
  );
}

function refuseStuck(ended: StackState | undefined) {
  if (ended?.status !== "UPDATE_ROLLBACK_FAILED") return;
  throw partlyDone(
    "ROLLBACK_STUCK",
    `The rollback of the last change of ${ended.name} failed again: ${ended.reason ?? "no reason given"}`,
    "Fix the cause, and run this again. AWS explains how: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/troubleshooting.html#troubleshooting-errors-update-rollback-failed",
  );
}

/**
 * SQS reserves a deleted queue's name for 60 s.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
 */
const queueNameRestMs = 65_000;

export function waitForQueueNamesMs(events: readonly StackEvent[], nowMs: number): number {
  const deleted = events.filter(
    ({ ResourceType, ResourceStatus }) =>
      ResourceType === "AWS::SQS::Queue" && ResourceStatus === "DELETE_COMPLETE",
  );
  return Math.max(0, ...deleted.map((event) => timeOf(event) + queueNameRestMs - nowMs));
}

export async function waitForQueueNames(context: WorkContext): Promise<void> {
  const { edges, out } = context;
  const sinceMs = edges.now() - 2 * queueNameRestMs;
  const events = await readPastEvents(context, ["DELETE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"], sinceMs);
  const waitMs = waitForQueueNamesMs(events, edges.now());
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  out.note(`Queues of these names were just deleted: AWS releases their names in ${seconds} s. Waiting.`);
  await edges.sleep(waitMs, edges.signal);
}

/** Reads newest first, page by page. May be repeated. */
async function readEvents(client: CloudFormationClient, StackName: string, sinceMs: number) {
  const found: StackEvent[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName })) {
    const recent = StackEvents.filter((event) => timeOf(event) >= sinceMs);
    found.push(...recent);
    if (recent.length < StackEvents.length) break;
  }
  return found;
}

/**
 * CloudFormation lists deleted stacks for 90 days.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListStacks.html
 */
export async function readPastEvents(
  { target }: WorkContext,
  StackStatusFilter: StackStatus[],
  sinceMs: number,
) {
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

/** Returns a time after the last event, by AWS's clock. */
export async function endOfEvents(client: CloudFormationClient, StackName: string): Promise<number> {
  const { StackEvents: [newest] = [] } = await client.send(new DescribeStackEventsCommand({ StackName }));
  return newest === undefined ? 0 : timeOf(newest) + 1;
}

function timeOf({ Timestamp }: StackEvent) {
  return Timestamp?.getTime() ?? 0;
}

export function failuresOf(events: readonly StackEvent[]): readonly StackEvent[] {
  return events
    .filter(
      ({ ResourceStatus, ResourceStatusReason = "" }) =>
        ResourceStatus?.endsWith("_FAILED") &&
        !/cancelled|^The following resource/i.test(ResourceStatusReason),
    )
    .toSorted((one, other) => timeOf(one) - timeOf(other));
}

export async function readFailures(client: CloudFormationClient, stackName: string, sinceMs: number) {
  return failuresOf(await readEvents(client, stackName, sinceMs)).map(
    ({ LogicalResourceId, ResourceType, ResourceStatusReason, ResourceStatus }) =>
      `${LogicalResourceId} (${ResourceType}): ${ResourceStatusReason ?? ResourceStatus}`,
  );
}

const everyMs = 3_000;
/** AWS's clock and the operator's differ. */
const clockLeewayMs = 60_000;

/**
 * Waits until nothing is in progress. Only reads.
 * @param afterMs the end of the events before a change was asked for: the stack keeps its old status until
 * CloudFormation begins. Default: waits for a change that is in progress
 * @returns undefined if the stack is gone
 */
export async function watchStack(
  { edges, out, target: { cloudFormation } }: WorkContext,
  stackId: string,
  afterMs?: number,
) {
  const sinceMs = afterMs ?? edges.now() - clockLeewayMs;
  const shown = new Set<string | undefined>();
  for (;;) {
    // Read first, so the next read includes all earlier events.
    const state = await readStackState(cloudFormation, stackId);
    if (state === undefined) return undefined;
    const events = (await readEvents(cloudFormation, stackId, sinceMs)).toReversed();
    for (const { EventId, ResourceStatus, ResourceType, LogicalResourceId } of events) {
      if (!shown.has(EventId)) out.progress(`${ResourceStatus}  ${ResourceType}  ${LogicalResourceId}`);
      shown.add(EventId);
    }
    if (state.status === "DELETE_COMPLETE") return undefined;
    const isNew = events.some(
      ({ PhysicalResourceId, ResourceStatus }) =>
        PhysicalResourceId === state.id && ResourceStatus === state.status,
    );
    if (standingOf(state.status) !== "busy" && (isNew || afterMs === undefined)) return state;
    edges.signal.throwIfAborted();
    await edges.sleep(everyMs, edges.signal);
  }
}
