import type { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { type Found, ok, wrong } from "../../lib/operate/doctor/finding.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import type { CliEdges } from "../edges.ts";
import { detectDrift } from "../stack/drift.ts";
import { readChangedMappings } from "../stack/mappings.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";

/** Compares resources with what was deployed. */
export async function checkResources(
  { kind, callAws }: Pick<Target, "kind" | "callAws">,
  cloudFormation: CloudFormationClient,
  stack: Pick<Stack, "name" | "resources">,
  { sleep, signal }: Pick<CliEdges, "sleep" | "signal">,
  { repair }: Pick<Remedies, "repair">,
): Promise<readonly Found[]> {
  const [mappings, drifted] = await Promise.all([
    readChangedMappings(cloudFormation, callAws, stack),
    // The local stack's other resources have no state of their own.
    kind === "local" ? [] : detectDrift(cloudFormation, stack, { sleep, signal }),
  ]);
  const found = [
    ...mappings.map(({ logicalId, differences }) =>
      wrong(`${logicalId} ${differences.join(", ")}: it was changed outside of deployments.`, repair),
    ),
    ...drifted.map(({ logicalId, paths }) =>
      wrong(
        paths.length === 0
          ? `${logicalId} was deleted outside of deployments.`
          : `${logicalId} was changed outside of deployments: ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ", …" : ""}.`,
        repair,
      ),
    ),
  ];
  return found.length > 0
    ? found
    : [ok("Functions, their roles, queues' mappings and alarms are as deployed.")];
}
