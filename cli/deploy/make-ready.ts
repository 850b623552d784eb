import { ContinueUpdateRollbackCommand, DeleteStackCommand } from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import { standingOf } from "../stack/judge-status.ts";
import { listPastStacks } from "../stack/past-stacks.ts";
import { readHappenings, type StackHappening } from "../stack/stack-events.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import { watchStack } from "../stack/watch-stack.ts";
import type { DeployGround } from "./deploy-ground.ts";

/**
 * Makes a stack deployable and returns its state; undefined without a stack. Waits for a running change,
 * continues a stuck rollback, deletes what a failed first deployment left; asks before the last two. May be
 * repeated.
 * @throws CliError
 */
export async function makeReady(ground: DeployGround): Promise<StackState | undefined> {
  const { target, confirm, out, cloudFormation } = ground;
  for (;;) {
    const state = await readStackState(cloudFormation, target.stackName);
    if (state === undefined) return undefined;
    const { id, name, status } = state;
    switch (standingOf(status)) {
      case "ready":
        return state;
      case "busy":
        out.note(`${name} is ${status}: a change is in progress. Waiting until it is over.`);
        await watch(ground, id);
        break;
      case "stuck":
        await confirm(`${name} is ${status}: a change and its rollback failed. Continue the rollback?`);
        await cloudFormation.send(new ContinueUpdateRollbackCommand({ StackName: id }));
        refuseStuck(await watch(ground, id));
        break;
      case "stillborn":
        await confirm(`${name} is ${status}: its first deployment failed, and it holds nothing. Delete it?`);
        await cloudFormation.send(new DeleteStackCommand({ StackName: id }));
        refuseUndeleted(await watch(ground, id));
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
  target,
  out,
  cloudFormation,
}: DeployGround): Promise<StackState | undefined> {
  const state = await readStackState(cloudFormation, target.stackName);
  if (state === undefined) return undefined;
  const { name, status } = state;
  const standing = standingOf(status);
  switch (standing) {
    case "ready":
      return state;
    case "stillborn":
      out.note(`${name} is ${status}: its first deployment failed, and it would be deleted first.`);
      return undefined;
    case "half-removed":
      throw halfRemoved(state, target.stage);
    case "busy":
    case "stuck":
      throw new CliError(
        "refused",
        "NOT_READY",
        `${name} is ${status}: it cannot be determined now what would change.`,
        standing === "busy"
          ? "A change is in progress: rehearse again when it is over."
          : `A change and its rollback failed. Continue the rollback: npx cometchat-functions deploy --stage ${target.stage}`,
      );
  }
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
    "Fix the cause, and run this again. AWS explains how: " +
      "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/troubleshooting.html#troubleshooting-errors-update-rollback-failed",
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

export async function watch(
  { edges, out, cloudFormation }: DeployGround,
  stackId: string,
): Promise<StackState | undefined> {
  return await watchStack(cloudFormation, stackId, edges.now() - clockLeewayMs, {
    ...{ sleep: edges.sleep, signal: edges.signal, everyMs },
    onHappening: ({ status, type, logicalId }) => out.progress(`${status}  ${type}  ${logicalId}`),
  });
}

const everyMs = 3_000;
/** AWS's clock and the operator's differ. */
const clockLeewayMs = 60_000;

/**
 * SQS reserves a deleted queue's name for 60 s.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html
 */
const queueNameRestMs = 65_000;

export function waitForQueueNamesMs(happenings: readonly StackHappening[], nowMs: number): number {
  const deletedAt = happenings
    .filter(({ type, status }) => type === "AWS::SQS::Queue" && status === "DELETE_COMPLETE")
    .map(({ atMs }) => atMs);
  return Math.max(0, ...deletedAt.map((atMs) => atMs + queueNameRestMs - nowMs));
}

/** @throws the client's errors */
export async function waitForQueueNames({ target, edges, out, cloudFormation }: DeployGround): Promise<void> {
  const sinceMs = edges.now() - 2 * queueNameRestMs;
  const past = await listPastStacks(cloudFormation, target.stackName, [
    "DELETE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
  ]);
  for (const { id } of past.filter(({ deletedAtMs = sinceMs }) => deletedAtMs >= sinceMs)) {
    const waitMs = waitForQueueNamesMs(await readHappenings(cloudFormation, id, sinceMs), edges.now());
    if (waitMs === 0) continue;
    const seconds = Math.ceil(waitMs / 1000);
    out.note(`Queues of these names were just deleted: AWS releases their names in ${seconds} s. Waiting.`);
    await edges.sleep(waitMs, edges.signal);
  }
}
