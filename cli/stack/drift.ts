import {
  type CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
} from "@aws-sdk/client-cloudformation";
import type { CliEdges } from "../edges.ts";
import type { StackResources } from "../target/stack.ts";

/** Functions with their settings and environment, their roles, and the alarms with whom they notify. */
const watchedTypes = ["AWS::Lambda::Function", "AWS::IAM::Role", "AWS::CloudWatch::Alarm"];
/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DetectStackDrift.html */
const mostNamed = 200;
const everyMs = 2_000;

/**
 * Compares what the template names with what is there. Takes up to minutes; changes nothing but the stack's
 * recorded drift. UNVERIFIED on AWS.
 * @returns names only, because an environment variable's value may be a secret: the differing properties,
 * such as `/Environment/Variables/LOG_LEVEL`; none if the resource was deleted
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-drift.html
 * @throws the client's errors
 */
export async function detectDrift(
  client: CloudFormationClient,
  { name: StackName, resources }: StackResources,
  { sleep, signal }: Pick<CliEdges, "sleep" | "signal">,
) {
  const watched = [...resources].flatMap(([id, { type }]) => (watchedTypes.includes(type) ? [id] : []));
  const LogicalResourceIds = watched.length <= mostNamed ? watched : undefined;
  const detection = await client.send(new DetectStackDriftCommand({ StackName, LogicalResourceIds }));
  const { StackDriftDetectionId } = detection;
  for (;;) {
    const { DetectionStatus } = await client.send(
      new DescribeStackDriftDetectionStatusCommand({ StackDriftDetectionId }),
    );
    // If it failed for some resources, the others have results.
    if (DetectionStatus !== "DETECTION_IN_PROGRESS") break;
    signal.throwIfAborted();
    await sleep(everyMs);
  }
  const drifted: { readonly logicalId: string; readonly paths: readonly string[] }[] = [];
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
