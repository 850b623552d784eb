import { DeleteStackCommand, UpdateTerminationProtectionCommand } from "@aws-sdk/client-cloudformation";
import { DeleteObjectsCommand, ListObjectVersionsCommand, type S3Client } from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { type DeployGround, openDeployGround } from "../deploy/deploy-ground.ts";
import { findBucket } from "../deploy/deployments.ts";
import { deploymentMs } from "../deploy/framework-environment.ts";
import { type Holding, holdingSchema, readHoldings } from "../deploy/holdings.ts";
import { deleteTables, findKeptTables } from "../deploy/kept-tables.ts";
import { watch } from "../deploy/make-ready.ts";
import { flag, text } from "../options.ts";
import type { Output } from "../output.ts";
import { standingOf } from "../stack/judge-status.ts";
import { endOfHappenings, readHappenings } from "../stack/stack-events.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import { failuresOf } from "../stack/watch-stack.ts";
import type { Target } from "../target/target.ts";

const resultSchema = z.strictObject({
  outcome: z.enum(["rehearsed", "removed", "not there"]),
  holdings: z.array(holdingSchema),
  keptTables: z.readonly(z.array(z.string())),
  deletedTables: z.readonly(z.array(z.string())),
});

type Removal = z.infer<typeof resultSchema>;

export const command = defineCommand({
  description:
    "Deletes the stage's stack: functions, queues with their messages, logs, address. Tables that guarantees depend on and the apps' secrets stay: a later deploy adopts them. --delete-tables also deletes the tables. Asks for the stage's name; a stage marked as production also needs --production.",
  examples: `
    $ remove --stage dev --dry-run
        show what would be lost, and what would stay
    $ remove --stage dev
        ask for the stage's name, and remove the stage
    $ remove --stage dev --yes --confirm dev
        for scripts
    $ remove --stage prod --production
        remove a stage marked as production
    $ remove --stage dev --delete-tables
        also delete what the functions remember
  `,
  options: {
    dryRun: flag("show what would be lost, and change nothing"),
    confirm: text("<stage>", "the stage's name again, instead of the question"),
    production: flag("allow removing a stage marked as production"),
    deleteTables: flag("delete the tables that would stay, with everything that the functions remember"),
  },
  changes: true,
  needsStage: true,
  json: resultSchema,
  exitCode: ({ outcome }) => (outcome === "not there" ? "notThere" : "done"),
  run: async ({ options, ...context }): Promise<Removal> => {
    const { target, edges, out, confirm } = context;
    const ground = openDeployGround(context, "To remove the local stack, end npm start.");
    const { dryRun, deleteTables: isTablesToo } = options;
    const { holdings, keptBefore } = await look(ground);
    const nothing: Removal = {
      ...{ outcome: "not there", holdings: holdings ?? [], keptTables: keptBefore, deletedTables: [] },
    };
    if (holdings === undefined && keptBefore.length === 0) return nothing;
    tell(holdings, keptBefore, { target, out, isTablesToo });
    if (dryRun) return { ...nothing, outcome: "rehearsed" };
    if (holdings === undefined && !isTablesToo) return nothing;
    refuseProduction(target, options.production);
    await target.proveIdentity(deploymentMs);
    await confirmByName(target, options.confirm, edges.ask, confirm);
    await target.proveIdentity(deploymentMs);
    await removeService(ground);
    const kept = await findKeptTables(ground);
    if (!isTablesToo) return { ...nothing, outcome: "removed", keptTables: kept };
    await deleteTables(ground, kept);
    return { ...nothing, outcome: "removed", keptTables: [], deletedTables: kept };
  },
  print: ({ outcome, keptTables, deletedTables }, out) => {
    out.line(outcomes[outcome]);
    if (outcome === "rehearsed") return;
    if (deletedTables.length > 0) out.line(`deleted: ${deletedTables.join(", ")}`);
    if (keptTables.length > 0) out.line(`stays: ${keptTables.join(", ")}`);
    if (outcome !== "removed") return;
    out.line("stays: the apps' secrets. `npx cometchat-functions apps remove <appId>` deletes one.");
    out.line(
      "The platform still delivers to the removed address: delete the webhook in the dashboard, or deploy again.",
    );
  },
});

const outcomes = {
  rehearsed: "This was a rehearsal: nothing was changed.",
  removed: "Removed.",
  "not there": "This stage is not deployed.",
} as const;

async function look(
  ground: DeployGround,
): Promise<{ readonly holdings: Holding[] | undefined; readonly keptBefore: readonly string[] }> {
  try {
    return { holdings: await readHoldings(ground, await ground.target.stack()), keptBefore: [] };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "NOT_DEPLOYED") throw error;
    return { holdings: undefined, keptBefore: await findKeptTables(ground) };
  }
}

function tell(
  holdings: readonly Holding[] | undefined,
  keptBefore: readonly string[],
  {
    target,
    out,
    isTablesToo,
  }: { readonly target: Target; readonly out: Output; readonly isTablesToo: boolean },
): void {
  if (holdings === undefined) {
    out.note(`The stack is gone already; its tables still exist: ${keptBefore.join(", ")}`);
    return;
  }
  const told = ({ name, kind, count }: Holding) =>
    `  ${name}: ${count ?? "an unknown number of"} ${kind === "queue" ? "messages" : "items"}`;
  const isLost = ({ isKept }: Holding) => !isKept || isTablesToo;
  out.note(`What ${target.title} loses: functions, logs, address, earlier packages, flows that run, and`);
  for (const holding of holdings.filter(isLost)) out.note(told(holding));
  out.note("What stays: the apps' secrets, and");
  for (const holding of holdings.filter((one) => !isLost(one))) out.note(told(holding));
}

function refuseProduction({ isProduction, stage }: Target, isMeant: boolean): void {
  if (!isProduction || isMeant) return;
  throw new CliError(
    "refused",
    "IS_PRODUCTION",
    `${stage} is marked as production in config/stages.yml. Nothing was changed.`,
    "To remove it, add --production.",
  );
}

async function confirmByName(
  { stage, title }: Target,
  given: string | undefined,
  ask: { text(message: string): Promise<string> } | undefined,
  confirm: (question: string) => Promise<void>,
): Promise<void> {
  const refuse = (message: string) =>
    new CliError(
      "refused",
      "NOT_CONFIRMED",
      `${message} Nothing was changed.`,
      `Without a terminal, add --yes --confirm ${stage}`,
    );
  if (given === undefined && ask !== undefined) {
    const typed = await ask.text(`Remove ${title}? Type the stage's name:`);
    if (typed.trim() !== stage) throw refuse(`"${typed.trim()}" is not the stage's name.`);
    return;
  }
  if (given !== stage)
    throw refuse(
      given === undefined ? "The stage's name was not typed." : `"${given}" is not the stage's name.`,
    );
  await confirm(`Remove ${title}?`);
}

/**
 * Lifts the stack's protection, empties the bucket of its packages, deletes, and waits. Does not ask. May be
 * repeated: skips what is gone.
 * @throws CliError that says what is left
 */
async function removeService(ground: DeployGround): Promise<void> {
  const { target, edges, out, cloudFormation, s3 } = ground;
  let state = await readStackState(cloudFormation, target.stackName);
  if (state !== undefined && standingOf(state.status) === "busy") {
    out.note(`${state.name} is ${state.status}: waiting until it is over.`);
    state = await watch(ground, state.id);
  }
  if (state === undefined) return;
  const StackName = state.id;
  if (state.isProtected) {
    await cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
    );
  }
  const bucket = await findBucket(cloudFormation, StackName);
  if (bucket !== undefined) await emptyBucket(s3, bucket);
  edges.signal.throwIfAborted();
  const sinceMs = await endOfHappenings(cloudFormation, StackName);
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  const left = await watch(ground, StackName);
  if (left !== undefined) throw await toError(ground, left, sinceMs);
}

/** CloudFormation deletes only an empty bucket. */
async function emptyBucket(s3: S3Client, bucket: string): Promise<void> {
  for (;;) {
    const page = await listPage(s3, bucket);
    if (page.length === 0) return;
    const { Errors: [refused] = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: [...page], Quiet: true } }),
    );
    if (refused === undefined) continue;
    throw new CliError(
      refused.Code === "AccessDenied" ? "noRights" : "partlyDone",
      "NOT_EMPTIED",
      `The bucket ${bucket} could not be emptied: ${refused.Code} ${refused.Message}`,
      "Fix the cause, and run this again.",
    );
  }
}

async function listPage(s3: S3Client, bucket: string) {
  try {
    const { Versions = [], DeleteMarkers = [] } = await s3.send(
      new ListObjectVersionsCommand({ Bucket: bucket }),
    );
    return [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
  } catch (error) {
    // The bucket was deleted by hand.
    if (error instanceof Error && error.name === "NoSuchBucket") return [];
    throw error;
  }
}

async function toError(
  { cloudFormation, target: { stage } }: DeployGround,
  { id, name, status, reason }: StackState,
  sinceMs: number,
): Promise<CliError> {
  const failures = failuresOf(await readHappenings(cloudFormation, id, sinceMs));
  const told = failures.map(
    ({ logicalId, type, reason: why = "no reason given" }) => `${logicalId} (${type}): ${why}`,
  );
  return new CliError(
    "partlyDone",
    "PARTLY_REMOVED",
    `${name} is ${status}, and only partly removed: ${told.join("; ") || reason}`,
    `Fix the cause, then continue: npx cometchat-functions remove --stage ${stage}`,
  );
}
