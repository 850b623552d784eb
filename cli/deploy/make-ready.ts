import {
  ContinueUpdateRollbackCommand,
  DeleteStackCommand,
  type StackEvent,
} from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { readStackState, type StackState, standingOf } from "../stack/stack-state.ts";
import { readPastEvents, timeOf, watchStack } from "./stack-events.ts";

/**
 * Makes a stack deployable and returns its state; undefined without a stack. Waits for a running change,
 * continues a stuck rollback, deletes what a failed first deployment left; asks before the last two. May be
 * repeated.
 * @throws CliError
 */
export async function makeReady(ground: WorkContext): Promise<StackState | undefined> {
  const { target, confirm, out } = ground;
  const { cloudFormation } = target;
  for (;;) {
    const state = await readStackState(cloudFormation, target.stackName);
    if (state === undefined) return undefined;
    const { id: StackName, name, status } = state;
    switch (standingOf(status)) {
      case "ready":
        return state;
      case "busy":
        out.note(`${name} is ${status}: a change is in progress. Waiting until it is over.`);
        await watchStack(ground, StackName);
        break;
      case "stuck":
        await confirm(`${name} is ${status}: a change and its rollback failed. Continue the rollback?`);
        await cloudFormation.send(new ContinueUpdateRollbackCommand({ StackName }));
        refuseStuck(await watchStack(ground, StackName));
        break;
      case "stillborn":
        await confirm(`${name} is ${status}: its first deployment failed, and it holds nothing. Delete it?`);
        await cloudFormation.send(new DeleteStackCommand({ StackName }));
        refuseUndeleted(await watchStack(ground, StackName));
        break;
      case "half-removed":
        throw halfRemoved(state, target.stage);
    }
  }
}

/**
 * Undefined if a deployment would create the stack. Changes nothing. May be repeated.
 * @throws CliError if the changes cannot be determined now
 */
export async function readForRehearsal({
  target: { stackName, stage, cloudFormation },
  out,
}: WorkContext): Promise<StackState | undefined> {
  const state = await readStackState(cloudFormation, stackName);
  if (state === undefined) return undefined;
  const { name, status } = state;
  const standing = standingOf(status);
  if (standing === "ready") return state;
  if (standing === "half-removed") throw halfRemoved(state, stage);
  if (standing === "stillborn") {
    out.note(`${name} is ${status}: its first deployment failed, and it would be deleted first.`);
    return undefined;
  }
  throw new CliError(
    "refused",
    "NOT_READY",
    `${name} is ${status}: it cannot be determined now what would change.`,
    standing === "busy"
      ? "A change is in progress: repeat it when it is over."
      : `A change and its rollback failed. Continue the rollback: npx cometchat-functions deploy --stage ${stage}`,
  );
}

function halfRemoved({ name, reason }: StackState, stage: string): CliError {
  return new CliError(
    "refused",
    "HALF_REMOVED",
    `${name} is half removed${reason === undefined ? "" : `: ${reason}`}.`,
    `Finish the removal first: npx cometchat-functions remove --stage ${stage}`,
  );
}

function refuseStuck(ended: StackState | undefined): void {
  if (ended?.status !== "UPDATE_ROLLBACK_FAILED") return;
  throw new CliError(
    "partlyDone",
    "ROLLBACK_STUCK",
    `The rollback of the last change of ${ended.name} failed again: ${ended.reason ?? "no reason given"}`,
    "Fix the cause, and run this again. AWS explains how: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/troubleshooting.html#troubleshooting-errors-update-rollback-failed",
  );
}

function refuseUndeleted(left: StackState | undefined): void {
  if (left === undefined) return;
  throw new CliError(
    "partlyDone",
    "NOT_DELETED",
    `${left.name} could not be deleted: ${left.reason ?? left.status}`,
    "Fix the cause, and run this again.",
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

/** @throws the client's errors */
export async function waitForQueueNames(ground: WorkContext): Promise<void> {
  const { edges, out } = ground;
  const sinceMs = edges.now() - 2 * queueNameRestMs;
  const events = await readPastEvents(ground, ["DELETE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"], sinceMs);
  const waitMs = waitForQueueNamesMs(events, edges.now());
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  out.note(`Queues of these names were just deleted: AWS releases their names in ${seconds} s. Waiting.`);
  await edges.sleep(waitMs, edges.signal);
}
