import { type CliError, notThere } from "../cli-error.ts";

export interface Deployment {
  /** The framework's name: milliseconds since 1970 and the time. */
  readonly directory: string;
  readonly liveAt: string | undefined;
}

/** Reads `1795325129952-2026-11-22T05:25:29.952Z`. */
export function timeOf(directory: string): string {
  return directory.slice(directory.indexOf("-") + 1);
}

/**
 * Returns the one made at `to`, or the older one that ran last.
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
  // A newer one was rolled back or never ran: a second run must not deploy it.
  const older = deployments.filter(({ directory }) => live === undefined || directory < live);
  // A package that a rollback ran again was live later than newer ones.
  const chosen = older.toSorted((one, other) => (other.liveAt ?? "").localeCompare(one.liveAt ?? ""))[0];
  if (chosen === undefined) throw nothingToGoBackTo(title);
  return chosen;
}

export function nothingToGoBackTo(title: string): CliError {
  return notThere(
    "NO_EARLIER_PACKAGE",
    `There is no earlier package of ${title} to go back to.`,
    "Check out the earlier version of the project, and deploy it.",
  );
}
