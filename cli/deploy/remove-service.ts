import {
  CloudFormationClient,
  DeleteStackCommand,
  UpdateTerminationProtectionCommand,
} from "@aws-sdk/client-cloudformation";
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from "@aws-sdk/client-s3";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { standingOf } from "../stack/judge-status.ts";
import { endOfHappenings, readHappenings } from "../stack/stack-events.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import { failuresOf } from "../stack/watch-stack.ts";
import type { DeployGround } from "./deploy-ground.ts";
import { bucketOf } from "./deployments.ts";
import { watch } from "./make-ready.ts";

/**
 * Deletes a stage's stack: lifts its protection, empties the bucket of its packages, deletes, and waits. Does
 * not ask: the caller has asked. May be repeated: skips what is gone already.
 * @throws CliError that says what is left
 */
export async function removeService(ground: DeployGround): Promise<"removed" | "not there"> {
  const { target, edges, out } = ground;
  const cloudFormation = target.client(CloudFormationClient, "CLOUDFORMATION");
  const s3 = target.client(S3Client, "S3");
  try {
    let state = await readStackState(cloudFormation, target.stackName);
    if (state !== undefined && standingOf(state.status) === "busy") {
      out.note(`${state.name} is ${state.status}: waiting until it is over.`);
      state = await watch(cloudFormation, state.id, ground);
    }
    if (state === undefined) return "not there";
    const { id } = state;
    if (state.isProtected) {
      await cloudFormation.send(
        new UpdateTerminationProtectionCommand({ StackName: id, EnableTerminationProtection: false }),
      );
    }
    const bucket = await bucketOf(cloudFormation, id);
    if (bucket !== undefined) await emptyBucket(s3, bucket);
    edges.signal.throwIfAborted();
    const sinceMs = await endOfHappenings(cloudFormation, id);
    await cloudFormation.send(new DeleteStackCommand({ StackName: id }));
    const left = await watch(cloudFormation, id, ground);
    if (left === undefined) return "removed";
    throw await toError(cloudFormation, left, sinceMs, target.stage);
  } finally {
    cloudFormation.destroy();
    s3.destroy();
  }
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
    throw new CliError(`The bucket ${bucket} could not be emptied: ${refused.Code} ${refused.Message}`, {
      code: "NOT_EMPTIED",
      exitCode: refused.Code === "AccessDenied" ? exitCodes.noRights : exitCodes.partlyDone,
      hint: "Fix the cause, and run this again.",
    });
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
  client: CloudFormationClient,
  { id, name, status, reason }: StackState,
  sinceMs: number,
  stage: string,
): Promise<CliError> {
  const failures = failuresOf(await readHappenings(client, id, sinceMs));
  const told = failures.map(
    ({ logicalId, type, reason: why = "no reason given" }) => `${logicalId} (${type}): ${why}`,
  );
  return new CliError(`${name} is ${status}, and only partly removed: ${told.join("; ") || reason}`, {
    code: "PARTLY_REMOVED",
    exitCode: exitCodes.partlyDone,
    hint: `Fix the cause, then continue: npx cometchat-functions remove --stage ${stage}`,
  });
}
