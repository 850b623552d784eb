/** For a deployment. */
export type Standing =
  | "ready"
  | "busy"
  /** The first deployment failed: holds nothing, can only be deleted. */
  | "stillborn"
  /** A change and its rollback failed: continue the rollback. */
  | "stuck"
  /** Its removal has to be finished. */
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

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html */
export function standingOf(status: string): Standing {
  return standings[status] ?? (status.endsWith("_IN_PROGRESS") ? "busy" : "ready");
}
