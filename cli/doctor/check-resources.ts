import {
  type CloudFormationClient,
  DescribeStackDriftDetectionStatusCommand,
  DetectStackDriftCommand,
  paginateDescribeStackResourceDrifts,
} from "@aws-sdk/client-cloudformation";
import { type Found, ok, wrong } from "../../lib/operate/doctor/finding.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import type { CliEdges } from "../edges.ts";
import { readChangedInLambda } from "../stack/changed-in-lambda.ts";
import type { StackResources } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

/** Compares resources with what was deployed. */
export async function checkResources(
  target: Pick<Target, "kind" | "callAws" | "cloudFormation">,
  stack: StackResources,
  { sleep, signal }: Pick<CliEdges, "sleep" | "signal">,
  remedies: Pick<Remedies, "repair">,
): Promise<readonly Found[]> {
  const [changed, drifted] = await Promise.all([
    checkLambda(target, stack, remedies),
    // The local stack's other resources have no state of their own.
    target.kind === "local" ? [] : detectDrift(target.cloudFormation, stack, { sleep, signal }),
  ]);
  const found = [
    ...changed,
    ...drifted.map(({ logicalId, paths }) =>
      wrong(
        paths.length === 0
          ? `${logicalId} was deleted outside of deployments.`
          : `${logicalId} was changed outside of deployments: ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ", …" : ""}.`,
        remedies.repair,
      ),
    ),
  ];
  return found.length > 0
    ? found
    : [ok("Functions, their roles, queues' mappings and alarms are as deployed.")];
}

/** Of queues' mappings and functions' reserved concurrency, what is not as it was deployed. */
export async function checkLambda(
  { callAws, cloudFormation }: Pick<Target, "callAws" | "cloudFormation">,
  stack: StackResources,
  { repair }: Pick<Remedies, "repair">,
): Promise<readonly Found[]> {
  const changed = await readChangedInLambda(cloudFormation, callAws, stack);
  return changed.map(({ logicalId, differences }) =>
    wrong(`${logicalId} ${differences.join(", ")}: it was changed outside of deployments.`, repair),
  );
}

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
async function detectDrift(
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
