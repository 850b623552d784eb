import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import type { Target } from "../target/target.ts";
import { deploymentMs, frameworkEnvironment } from "./framework-environment.ts";
import { reasonOf, runServerless } from "./package-service.ts";
import { endOfEvents, failuresOf, readEvents } from "./stack-events.ts";

/**
 * @param before Undefined if there is no stack yet.
 * @throws CliError that explains what failed
 */
export async function letFrameworkChange(
  ground: WorkContext,
  before: StackState | undefined,
  [command, ...options]: readonly ["deploy" | "rollback", ...string[]],
): Promise<void> {
  const { target, edges, out } = ground;
  const { stage, region, cloudFormation } = target;
  const sinceMs = before === undefined ? 0 : await endOfEvents(cloudFormation, before.id);
  const env = await frameworkEnvironment(ground, deploymentMs);
  const run = await runServerless([command, "--verbose", "--stage", stage, "--region", region, ...options], {
    ...edges,
    env,
    onLine: out.progress,
  });
  edges.signal.throwIfAborted();
  if (!run.isDone) throw await explainFailure(run.lines, sinceMs, target);
}

/** @param sinceMs Stack events from this time on belong to this deployment. */
export async function explainFailure(
  lines: readonly string[],
  sinceMs: number,
  { stackName, title, cloudFormation: client }: Pick<Target, "stackName" | "title" | "cloudFormation">,
): Promise<CliError> {
  const state = await readStackState(client, stackName).catch(() => undefined);
  const events = state ? await readEvents(client, state.id, sinceMs).catch(() => []) : [];
  const [failure] = failuresOf(events);
  const told =
    failure === undefined
      ? reasonOf(lines)
      : `${failure.LogicalResourceId} (${failure.ResourceType}): ${failure.ResourceStatusReason ?? failure.ResourceStatus}`;
  const reason = told.replace(/\.$/, "");
  const standing = standingAfter(state);
  if (/not authorized|AccessDenied|Forbidden/i.test(reason)) {
    return new CliError(
      "noRights",
      "NO_RIGHTS",
      `The deployment to ${title} lacks a right: ${reason}. ${standing}`,
      "Give the identity this right, or use another, and run this again.",
    );
  }
  if (/already exists/.test(reason)) {
    return new CliError(
      "partlyDone",
      "NAME_TAKEN",
      `The deployment to ${title} conflicts with an existing resource: ${reason}. ${standing}`,
      "Another resource of this account has the name: rename or delete it, or deploy another stage, and run this again.",
    );
  }
  return new CliError(
    "partlyDone",
    "NOT_DEPLOYED",
    `The deployment to ${title} failed: ${reason}. ${standing}`,
    "Fix the cause, and run this again: it continues from the stack's state.",
  );
}

function standingAfter(state: StackState | undefined): string {
  if (state === undefined) return "There is no stack.";
  const { name, status } = state;
  return status === "UPDATE_ROLLBACK_COMPLETE" ? `${name} was rolled back.` : `${name} is ${status}.`;
}
