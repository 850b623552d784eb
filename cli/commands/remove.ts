import { DeleteStackCommand, UpdateTerminationProtectionCommand } from "@aws-sdk/client-cloudformation";
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from "@aws-sdk/client-s3";
import { keptForNow, printRemovedApp, type RemovedFromStage, removeFromStage } from "../apps/change-apps.ts";
import { CliError, partlyDone, refused } from "../cli-error.ts";
import { count, defineCommand, flag, text, type WorkContext } from "../command.ts";
import { bucketId } from "../deploy/deployments.ts";
import {
  deleteTables,
  findKeptTables,
  type Holding,
  readHoldings,
  refuseForeignRules,
  warnOfParkedEvents,
} from "../deploy/holdings.ts";
import { endOfEvents, readFailures, watchStack } from "../deploy/make-ready.ts";
import {
  readStackState,
  refuseLocal,
  removeCommand,
  type StackState,
  standingOf,
  unlessNotDeployed,
} from "../target/target.ts";
import { toFailure } from "../to-failure.ts";

interface Removal {
  outcome: "rehearsed" | "removed" | "not there";
  holdings: Holding[];
  keptTables: string[];
  deletedTables: string[];
}

export const command = defineCommand({
  description:
    "Deletes the stage's stack: functions, queues with their messages, logs, address. Tables that guarantees depend on and the apps' secrets stay: a later deploy adopts them. --delete-tables also deletes the tables. Asks for the stage's name; a stage marked as production also needs --production.\n\nWith --app, removes only this app, also with --local: its line in config/apps.yml and, once no deployed function serves it, its secrets: deploy, then run the command again. `setup` restores a removed secret until the printed time.",
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
    $ remove --stage prod --app 2379ab41f5c8
        remove the app from the list; run again after a deploy to remove its secrets
  `,
  options: {
    dryRun: flag("show what would be lost, and change nothing"),
    app: text("<id>", "remove only this app"),
    keepSecret: flag("with --app: keep its secrets"),
    now: flag("with --app: remove its secrets even while deployed functions serve it, and refuse its events"),
    recoveryDays: count("with --app: days in which a removed secret can be restored", {
      least: 7,
      most: 30,
      fallback: 30,
    }),
    confirm: text("<stage>", "the stage's name again, instead of the question"),
    production: flag("allow removing a stage marked as production"),
    deleteTables: flag("delete the tables that would stay, with everything that the functions remember"),
  },
  changes: true,
  needsStage: true,
  run: async ({ options, ...context }): Promise<Removal | RemovedFromStage> => {
    const { target, out } = context;
    if (options.app !== undefined) {
      const removed = await removeFromStage(options.app, options, context);
      return removed ?? { outcome: "rehearsed", holdings: [], keptTables: [], deletedTables: [] };
    }
    refuseLocal(target, "To remove the local stack, end npm start.");
    const { dryRun, deleteTables: isTablesToo } = options;
    const stack = await unlessNotDeployed(target.stack());
    const holdings = stack === undefined ? [] : await readHoldings(context, stack);
    const keptBefore = stack === undefined ? await findKeptTables(context) : [];
    const nothing: Removal = { outcome: "not there", holdings, keptTables: keptBefore, deletedTables: [] };
    if (stack !== undefined) {
      const isLost = ({ isKept }: Holding) => !isKept || isTablesToo;
      out.note(`What ${target.title} loses: functions, logs, address, earlier packages, flows that run, and`);
      for (const holding of holdings.filter(isLost)) out.note(describe(holding));
      out.note("What stays: the apps' secrets, and");
      for (const holding of holdings.filter((one) => !isLost(one))) out.note(describe(holding));
    } else {
      if (keptBefore.length === 0) return nothing;
      out.note(`The stack is gone already; its tables still exist: ${keptBefore.join(", ")}`);
    }
    if (stack === undefined && !isTablesToo) return nothing;
    if (isTablesToo) await warnOfParkedEvents(context, [...keptBefore, ...holdings.map(({ name }) => name)]);
    if (target.settings.production && !options.production) {
      throw refused(
        "IS_PRODUCTION",
        `${target.stage} is marked as production in config/stages.yml. Nothing was changed.`,
        "To remove it, add --production.",
      );
    }
    if (stack !== undefined) await refuseForeignRules(context, stack);
    if (dryRun) return { ...nothing, outcome: "rehearsed" };
    await confirmByName(context, options.confirm);
    await removeService(context, isTablesToo);
    const kept = await findKeptTables(context);
    if (!isTablesToo) return { ...nothing, outcome: "removed", keptTables: kept };
    await deleteTables(context, kept);
    return { ...nothing, outcome: "removed", keptTables: [], deletedTables: kept };
  },
  exitCode: (result) => {
    if ("appId" in result) return result.secret.outcome === keptForNow ? "partlyDone" : "done";
    return result.outcome === "not there" ? "notThere" : "done";
  },
  print: (result, out) => {
    if ("appId" in result) return printRemovedApp(result, out);
    const { outcome, keptTables, deletedTables } = result;
    if (outcome === "rehearsed") return out.line("Nothing was changed.");
    out.line(outcome === "removed" ? "Removed." : "This stage is not deployed.");
    if (deletedTables.length > 0) out.line(`deleted: ${deletedTables.join(", ")}`);
    if (keptTables.length > 0) out.line(`stays: ${keptTables.join(", ")}`);
    if (outcome === "removed") out.line(whatIsLeft);
  },
});

const whatIsLeft = `\
stays: the apps' secrets. \`npx cometchat-functions remove --app <appId>\` deletes one.
The platform still delivers to the removed address: delete the webhook in the dashboard, or deploy again.`;

function describe({ name, kind, count }: Holding) {
  const number = count === undefined ? "an unknown number of" : `about ${count}`;
  if (kind === "queue") return `  ${name}: ${number} messages`;
  return `  ${name}: ${number} items${count === undefined ? "" : ", counted within the last six hours"}`;
}

async function confirmByName(
  { target: { stage, title }, edges: { ask }, confirm }: WorkContext,
  given: string | undefined,
) {
  const question = `Remove ${title}?`;
  if (given === undefined && ask !== undefined) {
    return await confirm(`${question} Type the stage's name:`, stage);
  }
  if (given === stage) return await confirm(question);
  throw refused(
    "NOT_CONFIRMED",
    `${given === undefined ? "The stage's name was not typed." : `"${given}" is not the stage's name.`} Nothing was changed.`,
    `Without a terminal, add --yes --confirm ${stage}`,
  );
}

/** Does not ask. May be repeated. @throws CliError that names the rest */
async function removeService(context: WorkContext, deletesTables: boolean) {
  const { target, out } = context;
  const { cloudFormation } = target;
  let state = await readStackState(cloudFormation, target.stackName);
  if (state !== undefined && standingOf(state.status) === "busy") {
    out.note(`${state.name} is ${state.status}: waiting until it is over.`);
    state = await watchStack(context, state.id);
  }
  if (state === undefined) return;
  const again = removeCommand(target, deletesTables);
  const sinceMs = await beginRemoval(context, state, again);
  const left = await watchStack(context, state.id, sinceMs);
  if (left === undefined) return;
  const failures = await readFailures(cloudFormation, state.id, sinceMs);
  throw partlyDone(
    "PARTLY_REMOVED",
    `${left.name} is ${left.status}, and only partly removed: ${failures.join("; ") || left.reason}`,
    `Fix the cause, then continue: ${again}`,
  );
}

/**
 * Deletes packages, then begins to delete the stack. Lifts its protection, and restores it after a failure.
 * @returns a time before the deletion, by AWS's clock
 */
async function beginRemoval(context: WorkContext, { id: StackName, isProtected }: StackState, again: string) {
  const { cloudFormation } = context.target;
  const { signal } = context.edges;
  const protect = async (EnableTerminationProtection: boolean) => {
    if (!isProtected) return;
    const protection = { StackName, EnableTerminationProtection };
    await cloudFormation.send(new UpdateTerminationProtectionCommand(protection));
  };
  let isEmptied = false;
  await protect(false);
  try {
    await emptyBucket(context);
    isEmptied = true;
    const sinceMs = await endOfEvents(cloudFormation, StackName);
    signal.throwIfAborted();
    await cloudFormation.send(new DeleteStackCommand({ StackName }));
    return sinceMs;
  } catch (error) {
    await protect(true).catch(() => undefined);
    if (!isEmptied) throw error;
    throw signal.aborted ? onlyEmptied(again) : notDeleted(error, again);
  }
}

const noWayBack = "until the next deploy, there is no way to roll back.";

function onlyEmptied(again: string) {
  return new CliError(
    "interrupted",
    "ONLY_EMPTIED",
    `Interrupted. The packages are deleted, and nothing else: ${noWayBack}`,
    `To continue: ${again}`,
  );
}

function notDeleted(error: unknown, again: string) {
  const { code, message, hint = "Fix the cause." } = toFailure(error);
  return partlyDone(
    code,
    `The packages are deleted: ${noWayBack} ${message}`,
    `${hint} To continue: ${again}`,
    error,
  );
}

/** CloudFormation deletes only an empty bucket. */
async function emptyBucket({ target }: WorkContext) {
  const s3 = target.client(S3Client, "S3");
  const { resources } = await target.rereadStack();
  const Bucket = resources.get(bucketId)?.physicalId;
  if (Bucket === undefined) return;
  for (;;) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket })).catch((error: unknown) => {
      if (error instanceof Error && error.name === "NoSuchBucket") return undefined;
      throw error;
    });
    const { Versions = [], DeleteMarkers = [] } = page ?? {};
    const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
    if (Objects.length === 0) return;
    const { Errors: [refused] = [] } = await s3.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    if (refused === undefined) continue;
    throw new CliError(
      refused.Code === "AccessDenied" ? "noRights" : "partlyDone",
      "NOT_EMPTIED",
      `The bucket ${Bucket} could not be emptied: ${refused.Code} ${refused.Message}`,
      "Fix the cause, and run this again.",
    );
  }
}
