/** What a stack's status means for a deployment. */
export type Standing =
  | "ready"
  /** A change is in progress. */
  | "busy"
  /** Its first deployment failed: it holds nothing, and can only be deleted. */
  | "stillborn"
  /** A change and its rollback failed: the rollback has to be continued. */
  | "stuck"
  /** Its removal was begun and has to be finished. */
  | "half-removed";

const standings: Readonly<Record<string, Standing>> = {
  REVIEW_IN_PROGRESS: "stillborn",
  ROLLBACK_COMPLETE: "stillborn",
  ROLLBACK_FAILED: "stillborn",
  CREATE_FAILED: "stillborn",
  UPDATE_ROLLBACK_FAILED: "stuck",
  DELETE_FAILED: "half-removed",
  UPDATE_FAILED: "stuck",
};

/**
 * Classifies a stack's status.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html
 */
export function standingOf(status: string): Standing {
  return standings[status] ?? (status.endsWith("_IN_PROGRESS") ? "busy" : "ready");
}
