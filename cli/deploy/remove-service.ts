import { DeleteStackCommand, UpdateTerminationProtectionCommand } from "@aws-sdk/client-cloudformation";
import { DeleteObjectsCommand, ListObjectVersionsCommand, type S3Client } from "@aws-sdk/client-s3";
import { CliError } from "../cli-error.ts";
import { standingOf } from "../stack/judge-status.ts";
import { endOfHappenings, readHappenings } from "../stack/stack-events.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import { failuresOf } from "../stack/watch-stack.ts";
import type { DeployGround } from "./deploy-ground.ts";
import { findBucket } from "./deployments.ts";
import { watch } from "./make-ready.ts";

/**
 * Deletes a stage's stack: lifts its protection, empties the bucket of its packages, deletes, and waits. Does
 * not ask: the caller has asked. May be repeated: skips what is gone already.
 * @throws CliError that says what is left
 */
export async function removeService(ground: DeployGround): Promise<void> {
  const { target, edges, out, cloudFormation, s3 } = ground;
  let state = await readStackState(cloudFormation, target.stackName);
  if (state !== undefined && standingOf(state.status) === "busy") {
    out.note(`${state.name} is ${state.status}: waiting until it is over.`);
    state = await watch(ground, state.id);
  }
  if (state === undefined) return;
  const StackName = state.id;
  if (state.isProtected) {
    await cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
    );
  }
  const bucket = await findBucket(cloudFormation, StackName);
  if (bucket !== undefined) await emptyBucket(s3, bucket);
  edges.signal.throwIfAborted();
  const sinceMs = await endOfHappenings(cloudFormation, StackName);
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  const left = await watch(ground, StackName);
  if (left !== undefined) throw await toError(ground, left, sinceMs);
}

/**
 * Deletes all objects of a bucket and their versions, because CloudFormation deletes only an empty bucket.
 */
async function emptyBucket(s3: S3Client, bucket: string): Promise<void> {
  for (;;) {
    const page = await listPage(s3, bucket);
    if (page.length === 0) return;
    const { Errors: [refused] = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: [...page], Quiet: true } }),
    );
    if (refused === undefined) continue;
    throw new CliError(
      refused.Code === "AccessDenied" ? "noRights" : "partlyDone",
      "NOT_EMPTIED",
      `The bucket ${bucket} could not be emptied: ${refused.Code} ${refused.Message}`,
      "Fix the cause, and run this again.",
    );
  }
}

async function listPage(s3: S3Client, bucket: string) {
  try {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket }),
    );
    return [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
  } catch (error) {
    // The bucket was deleted by hand: nothing is left to empty.
    if (error instanceof Error && error.name === "NoSuchBucket") return [];
    throw error;
  }
}

async function toError(
  { cloudFormation, target: { stage } }: DeployGround,
  { id, name, status, reason }: StackState,
  sinceMs: number,
): Promise<CliError> {
  const failures = failuresOf(await readHappenings(cloudFormation, id, sinceMs));
  const told = failures.map(
    ({ logicalId, type, reason: why = "no reason given" }) => `${logicalId} (${type}): ${why}`,
  );
  return new CliError(
    "partlyDone",
    "PARTLY_REMOVED",
    `${name} is ${status}, and only partly removed: ${told.join("; ") || reason}`,
    `Fix the cause, then continue: npx cometchat-functions remove --stage ${stage}`,
  );
}
