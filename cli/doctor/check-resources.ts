import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { type Found, ok, wrong } from "../../lib/operate/doctor/finding.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import type { CliEdges } from "../edges.ts";
import { readChangedInLambda } from "../stack/changed-in-lambda.ts";
import { detectDrift } from "../stack/drift.ts";

import type { StackResources } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

/** Compares resources with what was deployed. */
export async function checkResources(
  target: Pick<Target, "kind" | "callAws" | "client">,
  stack: StackResources,
  { sleep, signal }: Pick<CliEdges, "sleep" | "signal">,
  remedies: Pick<Remedies, "repair">,
): Promise<readonly Found[]> {
  const cloudFormation = target.client(CloudFormationClient, "CLOUDFORMATION");
  const [changed, drifted] = await Promise.all([
    checkLambda(target, stack, remedies),
    // The local stack's other resources have no state of their own.
    target.kind === "local" ? [] : detectDrift(cloudFormation, stack, { sleep, signal }),
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
  { callAws, client }: Pick<Target, "callAws" | "client">,
  stack: StackResources,
  { repair }: Pick<Remedies, "repair">,
): Promise<readonly Found[]> {
  const changed = await readChangedInLambda(client(CloudFormationClient, "CLOUDFORMATION"), callAws, stack);
  return changed.map(({ logicalId, differences }) =>
    wrong(`${logicalId} ${differences.join(", ")}: it was changed outside of deployments.`, repair),
  );
}
