import {
  CreateChangeSetCommand,
  DeleteChangeSetCommand,
  ExecuteChangeSetCommand,
} from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import { lossesOf, type ResourceChange, toResourceChanges } from "../stack/changes.ts";
import { standingOf } from "../stack/judge-status.ts";
import { mappingType, readChangedMappings, restoreMapping } from "../stack/mappings.ts";
import type { Stack } from "../target/stack.ts";
import type { DeployGround } from "./deploy-ground.ts";
import type { Deployed, DeployWish } from "./deploy-service.ts";
import { watch } from "./make-ready.ts";
import { readChanges } from "./preview.ts";
import { printChanges, refuseLosses } from "./print-changes.ts";

/**
 * Undoes what was changed outside of deployments, without deploying: event source mappings by Lambda's own
 * calls, everything else by a change set that CloudFormation compares with the actual state. May be repeated.
 * UNVERIFIED on AWS.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html
 * @throws CliError
 */
export async function repairStack(
  ground: DeployGround,
  { rehearse, allowLoss }: Pick<DeployWish, "rehearse" | "allowLoss">,
): Promise<Deployed> {
  const { target, cloudFormation, out, confirm, edges } = ground;
  const stack = await target.stack();
  out.progress("comparing what is deployed with what is there");
  const mappings = await readChangedMappings(cloudFormation, target.callAws, stack);
  const changeSet = { StackName: stack.id, ChangeSetName: `repair-${edges.token()}` };
  let isExecuted = false;
  try {
    // The local stack's other resources have no state of their own.
    const others = target.kind === "local" ? [] : await revertingChanges(ground, stack, changeSet);
    const changes: readonly ResourceChange[] = [
      ...mappings.map(
        ({ logicalId }) => ({ action: "modify", logicalId, type: mappingType, isKept: false }) as const,
      ),
      ...others,
    ];
    printChanges(changes, out, target.title);
    for (const { logicalId, differences } of mappings) out.note(`  ${logicalId} ${differences.join(", ")}`);
    for (const { logicalId } of others) out.note(`  ${logicalId}`);
    const shown = { changes, outputs: stack.outputs, servesNoMore: [] };
    if (rehearse) return { ...shown, outcome: "rehearsed" };
    if (changes.length === 0) return { ...shown, outcome: "unchanged" };
    refuseLosses(lossesOf(changes), allowLoss);
    await confirm(`Make these of ${target.title} again as they were deployed?`);
    for (const mapping of mappings) await restoreMapping(target.callAws, mapping);
    if (others.length > 0) {
      await cloudFormation.send(new ExecuteChangeSetCommand(changeSet));
      isExecuted = true;
      refuseFailed(await watch(ground, stack.id));
    }
    return { ...shown, outcome: "updated" };
  } finally {
    if (target.kind !== "local" && !isExecuted) {
      await cloudFormation.send(new DeleteChangeSetCommand(changeSet)).catch(() => undefined);
    }
  }
}

async function revertingChanges(
  { cloudFormation, edges }: DeployGround,
  { status, name }: Stack,
  changeSet: { readonly StackName: string; readonly ChangeSetName: string },
): Promise<readonly ResourceChange[]> {
  if (standingOf(status) !== "ready") {
    throw new CliError("refused", "NOT_READY", `${name} is ${status}: nothing was changed.`, "Deploy first.");
  }
  await cloudFormation.send(
    new CreateChangeSetCommand({
      ...changeSet,
      UsePreviousTemplate: true,
      DeploymentMode: "REVERT_DRIFT",
      Capabilities: ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"],
    }),
  );
  return toResourceChanges((await readChanges(cloudFormation, changeSet, edges.sleep)) ?? []);
}

function refuseFailed(
  ended: { readonly status: string; readonly reason: string | undefined } | undefined,
): void {
  if (ended?.status === "UPDATE_COMPLETE") return;
  throw new CliError(
    "partlyDone",
    "NOT_REPAIRED",
    `CloudFormation did not finish: ${ended?.reason ?? ended?.status ?? "the stack is gone"}`,
    "Fix the cause, and run this again.",
  );
}
