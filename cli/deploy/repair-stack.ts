import { DeleteChangeSetCommand, ExecuteChangeSetCommand } from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { readChangedInLambda } from "../stack/changed-in-lambda.ts";
import { printChanges, type ResourceChange, refuseLosses } from "../stack/changes.ts";
import { standingOf } from "../target/target.ts";
import type { Deployed, DeployWish } from "./deploy-service.ts";
import { makeChangeSet } from "./deployments.ts";
import { watchStack } from "./make-ready.ts";

/**
 * Undoes what was changed outside of deployments: mappings and reserved concurrency by Lambda's own calls,
 * the rest by a change set that compares with the actual state. May be repeated. UNVERIFIED on AWS.
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
    throw new CliError("refused", "NOT_READY", message, "Deploy first.");
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
    for (const changed of inLambda) await changed.restore();
    if (others.length > 0) {
      await cloudFormation.send(new ExecuteChangeSetCommand(changeSet));
      isExecuted = true;
      const ended = await watchStack(ground, stack.id);
      if (ended?.status !== "UPDATE_COMPLETE") {
        throw new CliError(
          "partlyDone",
          "NOT_REPAIRED",
          `CloudFormation did not finish: ${ended?.reason ?? ended?.status ?? "the stack is gone"}`,
          "Fix the cause, and run this again.",
        );
      }
    }
    return { ...shown, outcome: "updated" };
  } finally {
    if (!isExecuted) await cloudFormation.send(new DeleteChangeSetCommand(changeSet)).catch(() => undefined);
  }
}
