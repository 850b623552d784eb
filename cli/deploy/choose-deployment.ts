import { type CliError, notThere } from "../cli-error.ts";

export interface Deployment {
  /** The framework's name: milliseconds since 1970 and the time. */
  readonly directory: string;
  readonly liveAt: string | undefined;
  readonly leftBy?: "deployment" | "rollback" | undefined;
}

/** Reads `1795325129952-2026-11-22T05:25:29.952Z`. */
export function timeOf(directory: string): string {
  return directory.slice(directory.indexOf("-") + 1);
}

/**
 * Returns the one made at `to`, or the earlier one that ran last.
 * @param deployments newest first
 * @param live undefined if unknown
 * @throws CliError if it does not exist
 */
export function chooseDeployment(
  deployments: readonly Deployment[],
  live: string | undefined,
  to: string | undefined,
  { title, stage }: { readonly title: string; readonly stage: string },
): Deployment {
  if (to !== undefined) {
    const wanted = deployments.find(({ directory }) => timeOf(directory) === to);
    if (wanted !== undefined) return wanted;
    throw notThere(
      "NO_SUCH_PACKAGE",
      `No package of ${title} was made at ${to}.`,
      `List the packages: npx cometchat-functions rollback --stage ${stage} --list`,
    );
  }
  const earlier = deployments.filter((deployment) => isEarlier(deployment, live));
  // A package that a rollback ran again was live later than newer ones.
  const chosen = earlier.toSorted((one, other) => (other.liveAt ?? "").localeCompare(one.liveAt ?? ""))[0];
  if (chosen === undefined) throw nothingToGoBackTo(title);
  return chosen;
}

/** Without a record of what replaced it, a newer one was rolled back or never ran. */
export function isEarlier({ directory, leftBy }: Deployment, live: string | undefined): boolean {
  if (directory === live || leftBy === "rollback") return false;
  return live === undefined || leftBy === "deployment" || directory < live;
}

export function nothingToGoBackTo(title: string): CliError {
  return notThere(
    "NO_EARLIER_PACKAGE",
    `There is no earlier package of ${title} to go back to.`,
    "Check out the earlier version of the project, and deploy it.",
  );
}
