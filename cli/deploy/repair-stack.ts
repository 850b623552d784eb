import { DeleteChangeSetCommand, ExecuteChangeSetCommand } from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { type ChangedInLambda, readChangedInLambda } from "../stack/changed-in-lambda.ts";
import { printChanges, type ResourceChange, refuseLosses } from "../stack/changes.ts";
import { standingOf } from "../target/target.ts";
import type { Deployed, DeployWish } from "./deploy-service.ts";
import { findPackages, makeChangeSet, previewChanges } from "./deployments.ts";
import { watchStack } from "./make-ready.ts";

/**
 * Undoes what was changed outside of deployments: mappings and reserved concurrency by Lambda's own calls,
 * a deleted mapping by two deployments, the rest by a change set that compares with the actual state. May be
 * repeated. UNVERIFIED on AWS.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/drift-aware-change-sets.html
 */
export async function repairStack(ground: WorkContext, { dryRun, allowLoss }: DeployWish): Promise<Deployed> {
  const { target, out, confirm, edges } = ground;
  const { cloudFormation } = target;
  const stack = await target.stack();
  // The local stack's other resources have no state of their own.
  const hasState = target.kind === "stage";
  out.progress("comparing what is deployed with what is there");
  const inLambda = await readChangedInLambda(cloudFormation, target.callAws, stack);
  if (hasState && standingOf(stack.status) !== "ready") {
    const message = `${stack.name} is ${stack.status}: nothing was changed.`;
    const isBusy = standingOf(stack.status) === "busy";
    const hint = isBusy ? "Wait until that ends, and run this again." : "Deploy first.";
    throw new CliError("refused", "NOT_READY", message, hint);
  }
  const changeSet = { StackName: stack.id, ChangeSetName: `repair-${edges.token()}` };
  const input = { ...changeSet, UsePreviousTemplate: true, DeploymentMode: "REVERT_DRIFT" } as const;
  let isExecuted = !hasState;
  try {
    const others = (hasState && (await makeChangeSet(ground, input))) || [];
    const changes: readonly ResourceChange[] = [
      ...inLambda.map(
        ({ logicalId, type }) => ({ action: "modify", logicalId, type, isKept: false }) as const,
      ),
      ...others,
    ];
    printChanges(changes, out, target.title);
    for (const { logicalId, differences } of inLambda) out.note(`  ${logicalId} ${differences.join(", ")}`);
    for (const { logicalId } of others) out.note(`  ${logicalId}`);
    const shown = { changes, outputs: stack.outputs, servesNoMore: [] };
    refuseLosses(changes, allowLoss);
    if (dryRun) return { ...shown, outcome: "rehearsed" };
    if (changes.length === 0) return { ...shown, outcome: "unchanged" };
    await confirm(`Make these of ${target.title} again as they were deployed?`);
    for (const changed of inLambda) await changed.restore?.();
    if (others.length > 0) {
      await cloudFormation.send(new ExecuteChangeSetCommand(changeSet));
      isExecuted = true;
      await waitForUpdate(ground, stack.id);
    }
    const deleted = inLambda.filter(({ restore }) => restore === undefined);
    if (deleted.length > 0) await makeAgain(ground, deleted);
    return { ...shown, outcome: "updated" };
  } finally {
    if (!isExecuted) await cloudFormation.send(new DeleteChangeSetCommand(changeSet)).catch(() => undefined);
  }
}

async function waitForUpdate(
  ground: WorkContext,
  stackId: string,
  hint = "Fix the cause, and run this again.",
): Promise<void> {
  const ended = await watchStack(ground, stackId);
  if (ended?.status === "UPDATE_COMPLETE") return;
  throw new CliError(
    "partlyDone",
    "NOT_REPAIRED",
    `CloudFormation did not finish: ${ended?.reason ?? ended?.status ?? "the stack is gone"}`,
    hint,
  );
}

/** CloudFormation makes again only what is not in the stack: first a template without them, then its own. */
async function makeAgain(ground: WorkContext, deleted: readonly ChangedInLambda[]): Promise<void> {
  const { target, out } = ground;
  const packages = await findPackages(ground);
  if (packages === undefined) return;
  const hint = "Should this end early, continue with: npx cometchat-functions deploy";
  out.note(hint);
  const template = JSON.parse(packages.template);
  const gone = deleted.map(({ logicalId }) => logicalId);
  const Resources = Object.fromEntries(
    Object.entries(template.Resources).filter(([id]) => !gone.includes(id)),
  );
  for (const text of [JSON.stringify({ ...template, Resources }), packages.template]) {
    await previewChanges(ground, packages, { text }, undefined, async (changeSet) => {
      await target.cloudFormation.send(new ExecuteChangeSetCommand(changeSet));
      await waitForUpdate(ground, changeSet.StackName, hint);
    });
  }
}
