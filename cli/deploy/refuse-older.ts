import { refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { wouldLose } from "../stack/changes.ts";
import { readStackState, type StackState, standingOf } from "../target/target.ts";
import { timeOf } from "./choose-deployment.ts";
import { findPackages } from "./deployments.ts";

/** @returns a check that refuses to replace another deployment's package */
export async function noteRunning(context: WorkContext) {
  const { stackName, title, cloudFormation } = context.target;
  const state = await readStackState(cloudFormation, stackName);
  const standing = state && standingOf(state.status);
  const live = standing === "ready" ? (await findPackages(context))?.live : undefined;
  return (now: StackState | undefined, liveNow: string | undefined): void => {
    if (!isOther(standing, live, now, liveNow)) return;
    throw refused(
      "CHANGED_SINCE",
      `Another deployment to ${title} ended since this began, and nothing was deployed: this checkout may lack its changes.`,
      "git pull, and run this again.",
    );
  };
}

/** During a change, CloudFormation may return the new template. */
export function isOther(
  standing: ReturnType<typeof standingOf> | undefined,
  live: string | undefined,
  now: Pick<StackState, "status"> | undefined,
  liveNow: string | undefined,
): boolean {
  if (standing === "busy") return now !== undefined && now.status !== "UPDATE_ROLLBACK_COMPLETE";
  return standing !== "stuck" && live !== liveNow;
}

/** Packages do not name their commits. */
export function refuseOlderPackage(made: string | undefined, live: string | undefined, stage: string): void {
  if (made === undefined || live === undefined || made >= live) return;
  throw wouldLose(
    `This package was made at ${timeOf(made)}, before the running one (${timeOf(live)}), whose changes it may lack.`,
    `Package the newest version, or deploy this one with --allow-loss. To go back to the package that ran before: npx cometchat-functions rollback --stage ${stage}`,
  );
}
