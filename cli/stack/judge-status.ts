/** What a stack's status means to somebody who wants to deploy. */
export type Standing =
  /** It can be updated. */
  | "ready"
  /** Something is going on with it. */
  | "busy"
  /** Its first deployment came to nothing: it holds nothing, and can only be deleted. */
  | "stillborn"
  /** A change failed, and so did undoing it: the undoing has to be continued. */
  | "stuck"
  /** Its removal was begun and has to be ended. */
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
 * Says where a stack stands.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html
 */
export function standingOf(status: string): Standing {
  return standings[status] ?? (status.endsWith("_IN_PROGRESS") ? "busy" : "ready");
}
