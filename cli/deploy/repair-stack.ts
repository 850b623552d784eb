import { DeleteChangeSetCommand, ExecuteChangeSetCommand } from "@aws-sdk/client-cloudformation";
import { describeError } from "../../lib/base/describe-error.ts";
import { partlyDone, refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { mappingType, readChangedInLambda, takenOutOf, takenOutOutput } from "../stack/changed-in-lambda.ts";
import { printChanges, type ResourceChange, refuseLosses } from "../stack/changes.ts";
import { standingOf } from "../target/target.ts";
import type { Deployed, DeployWish } from "./deploy-service.ts";
import {
  type DeployedPackages,
  findPackages,
  makeChangeSet,
  previewChanges,
  readObject,
  templateKeyOf,
} from "./deployments.ts";
import { endOfEvents, readFailures, watchStack } from "./make-ready.ts";

/**
 * Reverts changes made outside of deployments: mappings and reserved concurrency by Lambda's own calls, a
 * deleted mapping by two deployments, the rest by a drift-aware change set. May be repeated. UNVERIFIED on
 * AWS.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html
 */
export async function repairStack(
  context: WorkContext,
  { dryRun, allowLoss }: DeployWish,
): Promise<Deployed> {
  const { target, out, confirm, edges } = context;
  const { cloudFormation } = target;
  const stack = await target.stack();
  // The local stack's other resources have no state.
  const hasState = target.kind === "stage";
  out.progress("comparing what is deployed with what is there");
  const inLambda = await readChangedInLambda(cloudFormation, target.callAws, stack);
  if (hasState && standingOf(stack.status) !== "ready") {
    const message = `${stack.name} is ${stack.status}: nothing was changed.`;
    const isBusy = standingOf(stack.status) === "busy";
    const hint = isBusy ? "Wait until that ends, and run this again." : "Deploy first.";
    throw refused("NOT_READY", message, hint);
  }
  const takenOut = takenOutOf(stack);
  const changeSet = { StackName: stack.id, ChangeSetName: `repair-${edges.token()}` };
  const input = { ...changeSet, UsePreviousTemplate: true, DeploymentMode: "REVERT_DRIFT" } as const;
  try {
    const others = (hasState && (await makeChangeSet(cloudFormation, edges, input))) || [];
    const changes: readonly ResourceChange[] = [
      ...inLambda.map(
        ({ logicalId, type }) => ({ action: "modify", logicalId, type, isKept: false }) as const,
      ),
      ...takenOut.map(
        (logicalId) => ({ action: "add", logicalId, type: mappingType, isKept: false }) as const,
      ),
      ...others,
    ];
    printChanges(changes, out, target.title);
    for (const { logicalId, differences } of inLambda) out.note(`  ${logicalId} ${differences.join(", ")}`);
    for (const { logicalId } of others) out.note(`  ${logicalId}`);
    const shown = { changes, outputs: stack.outputs, servesNoMore: [] };
    if (!allowLoss) refuseLosses(changes);
    if (dryRun) return { ...shown, outcome: "rehearsed" };
    if (changes.length === 0) return { ...shown, outcome: "unchanged" };
    await confirm(`Make these of ${target.title} again as they were deployed?`);
    for (const changed of inLambda) await changed.restore?.();
    if (others.length > 0) await execute(context, changeSet);
    const deleted = inLambda.flatMap(({ logicalId, restore }) => (restore === undefined ? [logicalId] : []));
    if (deleted.length + takenOut.length > 0) await makeAgain(context, deleted);
    return { ...shown, outcome: "updated" };
  } finally {
    if (hasState) await cloudFormation.send(new DeleteChangeSetCommand(changeSet)).catch(() => undefined);
  }
}

async function execute(
  context: WorkContext,
  changeSet: { readonly StackName: string; readonly ChangeSetName: string },
) {
  const { cloudFormation } = context.target;
  const { StackName } = changeSet;
  const sinceMs = await endOfEvents(cloudFormation, StackName);
  await cloudFormation.send(new ExecuteChangeSetCommand(changeSet));
  const ended = await watchStack(context, StackName, sinceMs);
  if (ended?.status === "UPDATE_COMPLETE") return;
  const [reason = ended?.reason ?? ended?.status] = await readFailures(cloudFormation, StackName, sinceMs);
  throw partlyDone(
    "NOT_REPAIRED",
    `CloudFormation did not finish: ${reason ?? "the stack is gone"}`,
    "Fix the cause, and run this again.",
  );
}

/**
 * CloudFormation creates only resources that the stack lacks: first deploys the template without them, then
 * whole. An output names them for an interrupted repair.
 */
async function makeAgain(context: WorkContext, deleted: readonly string[]) {
  const packages = await findPackages(context);
  if (packages === undefined) return;
  const whole = await readWhole(packages);
  for (const text of [...(deleted.length > 0 ? [takeOut(whole, deleted)] : []), whole]) {
    await previewChanges(context, packages, { text }, undefined, (changeSet) => execute(context, changeSet));
  }
}

/** The stack's own template lacks what an earlier repair removed, and is returned in ASCII. */
async function readWhole(packages: DeployedPackages) {
  try {
    return await readObject(packages, templateKeyOf(packages, packages.live ?? ""));
  } catch (error) {
    const message = `The running package cannot be read: ${describeError(error)}`;
    throw partlyDone("NO_PACKAGE", message, "Deploy: npx cometchat-functions deploy", error);
  }
}

function takeOut(whole: string, ids: readonly string[]) {
  const template = JSON.parse(whole);
  const Resources = Object.fromEntries(
    Object.entries(template.Resources).filter(([id]) => !ids.includes(id)),
  );
  const Outputs = { ...template.Outputs, [takenOutOutput]: { Value: ids.join(" ") } };
  return JSON.stringify({ ...template, Resources, Outputs });
}
