import {
  type CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
} from "@aws-sdk/client-cloudformation";
import type { Stack } from "../target/stack.ts";

/** Names only: an environment variable's value may be a secret. */
export interface DriftedResource {
  readonly logicalId: string;
  /** `/Environment/Variables/LOG_LEVEL`; none if the resource was deleted. */
  readonly paths: readonly string[];
}

/** Functions with their settings and environment, their roles, and the alarms with whom they notify. */
const watchedTypes = ["AWS::Lambda::Function", "AWS::IAM::Role", "AWS::CloudWatch::Alarm"];
/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DetectStackDrift.html */
const mostNamed = 200;
const everyMs = 2_000;

/**
 * Compares what the template names with what is there. Takes up to minutes; changes nothing but the stack's
 * recorded drift. UNVERIFIED on AWS.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-drift.html
 * @throws the client's errors
 */
export async function detectDrift(
  client: CloudFormationClient,
  { name: StackName, resources }: Pick<Stack, "name" | "resources">,
  { sleep, signal }: { readonly sleep: (ms: number) => Promise<void>; readonly signal?: AbortSignal },
): Promise<readonly DriftedResource[]> {
  const watched = [...resources].flatMap(([id, { type }]) => (watchedTypes.includes(type) ? [id] : []));
  const { StackDriftDetectionId } = await client.send(
    new DetectStackDriftCommand({
      StackName,
      ...(watched.length <= mostNamed && { LogicalResourceIds: watched }),
    }),
  );
  for (;;) {
    const { DetectionStatus } = await client.send(
      new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }),
    );
    // If it failed for some resources, the others have results.
    if (DetectionStatus !== "DETECTION_IN_PROGRESS") break;
    signal?.throwIfAborted();
    await sleep(everyMs);
  }
  const drifted: DriftedResource[] = [];
  const pages = paginateDescribeStackResourceDrifts(
    { client },
    { StackName, StackResourceDriftStatusFilters: ["MODIFIED", "DELETED"] },
  );
  for await (const { StackResourceDrifts = [] } of pages) {
    for (const { LogicalResourceId: logicalId = "", PropertyDifferences = [] } of StackResourceDrifts) {
      // Of an earlier detection, perhaps of a resource that is no longer in the stack.
      if (!watched.includes(logicalId)) continue;
      drifted.push({ logicalId, paths: PropertyDifferences.map(({ PropertyPath = "" }) => PropertyPath) });
    }
  }
  return drifted;
}
