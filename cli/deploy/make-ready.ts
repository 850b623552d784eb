import {
  type CloudFormationClient,
  ContinueUpdateRollbackCommand,
  DeleteStackCommand,
} from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { standingOf } from "../stack/judge-status.ts";
import { listPastStacks } from "../stack/past-stacks.ts";
import { readHappenings } from "../stack/stack-events.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import { watchStack } from "../stack/watch-stack.ts";
import type { DeployGround } from "./deploy-ground.ts";
import { queueNameRestMs, waitForQueueNamesMs } from "./queue-names.ts";

/**
 * Brings a stack into a state in which it can be deployed, and returns that state; undefined if there is no
 * stack. Waits for a running change, continues a stuck rollback, and deletes what a failed first deployment
 * left; asks before the last two. May be repeated.
 * @throws CliError
 */
export async function makeReady(
  client: CloudFormationClient,
  ground: DeployGround,
): Promise<StackState | undefined> {
  const { target, confirm } = ground;
  for (;;) {
    const state = await readStackState(client, target.stackName);
    if (state === undefined) return undefined;
    const { name, status } = state;
    switch (standingOf(status)) {
      case "ready":
        return state;
      case "busy":
        await waitOut(client, state, ground);
        break;
      case "stuck":
        await confirm(`${name} is ${status}: a change and its rollback failed. Continue the rollback?`);
        await client.send(new ContinueUpdateRollbackCommand({ StackName: state.id }));
        await endRollback(client, state, ground);
        break;
      case "stillborn":
        await confirm(`${name} is ${status}: its first deployment failed, and it holds nothing. Delete it?`);
        await client.send(new DeleteStackCommand({ StackName: state.id }));
        await endDeletion(client, state, ground);
        break;
      case "half-removed":
        throw halfRemoved(state, target.stage);
    }
  }
}

/**
 * Returns the state that a rehearsal compares with; undefined if a deployment would create the stack. Changes
 * nothing. May be repeated.
 * @throws CliError if the changes cannot be determined now
 */
export async function readForRehearsal(
  client: CloudFormationClient,
  { target, out }: Pick<DeployGround, "target" | "out">,
): Promise<StackState | undefined> {
  const state = await readStackState(client, target.stackName);
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
      throw new CliError(`${name} is ${status}: it cannot be determined now what would change.`, {
        code: "NOT_READY",
        exitCode: exitCodes.refused,
        hint:
          standing === "busy"
            ? "A change is in progress: rehearse again when it is over."
            : `A change and its rollback failed. Continue the rollback: npx cometchat-functions deploy --stage ${target.stage}`,
      });
  }
}

function halfRemoved({ name, reason }: StackState, stage: string): CliError {
  return new CliError(`${name} is half removed${reason === undefined ? "" : `: ${reason}`}.`, {
    code: "HALF_REMOVED",
    exitCode: exitCodes.refused,
    hint: `Finish the removal first: npx cometchat-functions remove --stage ${stage}`,
  });
}

async function waitOut(client: CloudFormationClient, state: StackState, ground: DeployGround): Promise<void> {
  const { name, status, id } = state;
  ground.out.note(`${name} is ${status}: a change is in progress. Waiting until it is over.`);
  await watch(client, id, ground);
}

async function endRollback(client: CloudFormationClient, { id, name }: StackState, ground: DeployGround) {
  const ended = await watch(client, id, ground);
  if (ended?.status !== "UPDATE_ROLLBACK_FAILED") return;
  throw new CliError(
    `The rollback of the last change of ${name} failed again: ${ended.reason ?? "no reason given"}`,
    {
      code: "ROLLBACK_STUCK",
      exitCode: exitCodes.partlyDone,
      hint:
        "Fix the cause, and run this again. AWS explains how: " +
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/troubleshooting.html#troubleshooting-errors-update-rollback-failed",
    },
  );
}

async function endDeletion(client: CloudFormationClient, { id, name }: StackState, ground: DeployGround) {
  const ended = await watch(client, id, ground);
  if (ended === undefined) return;
  throw new CliError(`${name} could not be deleted: ${ended.reason ?? ended.status}`, {
    code: "NOT_DELETED",
    exitCode: exitCodes.partlyDone,
    hint: "Fix the cause, and run this again.",
  });
}

/** Watches a stack until nothing is in progress, and prints each step. */
export async function watch(
  client: CloudFormationClient,
  stackId: string,
  { edges, out }: Pick<DeployGround, "edges" | "out">,
): Promise<StackState | undefined> {
  return await watchStack(client, stackId, edges.now() - clockLeewayMs, {
    ...{ sleep: edges.sleep, signal: edges.signal, everyMs },
    onHappening: ({ status, type, logicalId }) => out.progress(`${status}  ${type}  ${logicalId}`),
  });
}

const everyMs = 3_000;
/** AWS's clock and the operator's differ. */
const clockLeewayMs = 60_000;

/**
 * Waits until the names of recently deleted queues can be used again.
 * @throws the client's errors
 */
export async function waitForQueueNames(
  client: CloudFormationClient,
  { target, edges, out }: DeployGround,
): Promise<void> {
  const now = edges.now();
  const sinceMs = now - 2 * queueNameRestMs;
  const past = await listPastStacks(client, target.stackName, [
    "DELETE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
  ]);
  for (const { id } of past.filter(({ deletedAtMs = sinceMs }) => deletedAtMs >= sinceMs)) {
    const waitMs = waitForQueueNamesMs(await readHappenings(client, id, sinceMs), edges.now());
    if (waitMs === 0) continue;
    const seconds = Math.ceil(waitMs / 1000);
    out.note(`Queues of these names were just deleted: AWS releases their names in ${seconds} s. Waiting.`);
    await edges.sleep(waitMs, edges.signal);
  }
}
