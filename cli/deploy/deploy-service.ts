import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { S3Client } from "@aws-sdk/client-s3";
import { type BuiltFor, whyNotDeployed } from "../../build/built-for.ts";
import { readServedApps } from "../../build/served-apps.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { lossesOf, type ResourceChange } from "../stack/changes.ts";
import { type Preview, previewChanges } from "../stack/preview.ts";
import { endOfHappenings } from "../stack/stack-events.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import { appsLost, readBuiltForOf, warnAppsLost } from "./apps-lost.ts";
import type { DeployGround } from "./deploy-ground.ts";
import {
  bucketOf,
  deploymentPrefix,
  directoryOfTemplate,
  listDeployments,
  noteDeployment,
  readLiveTemplate,
} from "./deployments.ts";
import { explainFailure } from "./explain-failure.ts";
import { deploymentMs, frameworkEnvironment } from "./framework-environment.ts";
import { makeReady, readForRehearsal, waitForQueueNames } from "./make-ready.ts";
import { packageService, readPackage, type ServicePackage } from "./package-service.ts";
import { printChanges, refuseLosses } from "./print-changes.ts";
import { runServerless } from "./run-serverless.ts";

export interface DeployWish {
  /** An existing package; default: packages again. */
  readonly packageFolder: string | undefined;
  /** Continues although a deletion loses data or an address that others use. */
  readonly allowLoss: boolean;
  /** Shows the changes and changes nothing. */
  readonly rehearse: boolean;
}

export interface Deployed {
  readonly outcome: "rehearsed" | "created" | "updated" | "unchanged";
  readonly changes: readonly ResourceChange[];
  readonly outputs: Readonly<Record<string, string>>;
  /** Apps that the previous deployment served and this one does not. */
  readonly servesNoMore: readonly string[];
}

/**
 * Deploys a stage: checks that it can be deployed, packages, shows the changes, asks, and runs the framework.
 * May be repeated: what is deployed already stays.
 * @throws CliError
 */
export async function deployService(ground: DeployGround, wish: DeployWish): Promise<Deployed> {
  const { target, out, confirm } = ground;
  const cloudFormation = target.client(CloudFormationClient, "CLOUDFORMATION");
  const s3 = target.client(S3Client, "S3");
  const own =
    wish.packageFolder === undefined ? await mkdtemp(join(tmpdir(), "service-package-")) : undefined;
  try {
    const ready = await preparePackage(ground, wish, own);
    const before = wish.rehearse
      ? await readForRehearsal(cloudFormation, ground)
      : await makeReady(cloudFormation, ground);
    const { changes, differs } = await changesOf(ready, before, ground, { cloudFormation, s3 });
    printChanges(changes, out, target.title);
    const running = before && readBuiltForOf(await readLiveTemplate(cloudFormation, before.id));
    const servesNoMore = appsLost(running, ready.builtFor);
    warnAppsLost(servesNoMore, out);
    const { outputs = {} } = before ?? {};
    if (wish.rehearse) return { outcome: "rehearsed", changes, outputs, servesNoMore };
    if (!differs) return { outcome: "unchanged", changes, outputs, servesNoMore };
    refuseLosses(lossesOf(changes), wish.allowLoss);
    await confirm(`Deploy this to ${target.title}?`);
    await refuseChanged(cloudFormation, before, target.stackName);
    await waitForQueueNames(cloudFormation, ground);
    await letFrameworkDeploy(
      ready,
      ground,
      {
        isForced: await mustForce(ground, before, { cloudFormation, s3 }),
        sinceMs: await endOfHappenings(cloudFormation, before?.id),
      },
      cloudFormation,
    );
    const stack = await target.rereadStack();
    await noteWhatRuns(ground, { cloudFormation, s3 });
    const after = await readStackState(cloudFormation, target.stackName);
    const isTouched = after?.changedAt?.getTime() !== before?.changedAt?.getTime();
    const outcome = before === undefined ? "created" : isTouched ? "updated" : "unchanged";
    return { outcome, changes, outputs: stack.outputs, servesNoMore };
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true });
    cloudFormation.destroy();
    s3.destroy();
  }
}

interface Clients {
  readonly cloudFormation: CloudFormationClient;
  readonly s3: S3Client;
}

async function preparePackage(
  ground: DeployGround,
  { packageFolder, rehearse }: DeployWish,
  ownFolder: string | undefined,
): Promise<ServicePackage> {
  const { edges, out } = ground;
  const { stage, region } = ground.target;
  const env = await frameworkEnvironment(ground, rehearse ? 0 : deploymentMs);
  const appIds = (await readServedApps(edges.projectFolder)).get(stage) ?? [];
  if (appIds.length === 0) refuseOther(undefined, { stage, appIds });
  if (ownFolder === undefined) {
    const made = await readPackage(resolve(edges.projectFolder, packageFolder ?? ""));
    refuseOther(made.builtFor, { stage, appIds });
    return made;
  }
  out.progress(`packaging the service for the stage ${stage}`);
  const onLine = (line: string) => out.progress(line);
  return await packageService({ stage, region, folder: ownFolder }, { ...edges, env, onLine });
}

/** @throws CliError if the package was made for another stage or other apps, or does not say for which */
function refuseOther(built: BuiltFor | undefined, wanted: BuiltFor): void {
  const reason = whyNotDeployed(built, wanted);
  if (reason === undefined) return;
  throw new CliError(reason, {
    code: "NOT_BUILT_FOR_THIS",
    exitCode: exitCodes.refused,
    hint: "Nothing was changed.",
  });
}

/** Without a stack, everything is new. */
async function changesOf(
  { template, added }: ServicePackage,
  before: StackState | undefined,
  { target, edges, out }: DeployGround,
  { cloudFormation, s3 }: Clients,
): Promise<Preview> {
  const bucket = before && (await bucketOf(cloudFormation, before.id));
  if (before === undefined || bucket === undefined) return { changes: added, differs: true };
  out.progress("asking CloudFormation what would change");
  return await previewChanges(cloudFormation, s3, {
    stackId: before.id,
    template: { text: template },
    bucket,
    region: target.region,
    folder: `${deploymentPrefix(target)}preview`,
    token: edges.token(),
    sleep: edges.sleep,
  });
}

/** @throws CliError if the stack has changed since the question */
export async function refuseChanged(
  client: CloudFormationClient,
  before: StackState | undefined,
  name: string,
): Promise<void> {
  const now = await readStackState(client, name);
  if (now?.changedAt?.getTime() === before?.changedAt?.getTime() && now?.id === before?.id) return;
  throw new CliError(`${name} has changed since the question, and nothing was deployed.`, {
    code: "CHANGED_SINCE",
    exitCode: exitCodes.refused,
    hint: "Check the changes, and run this again.",
  });
}

/**
 * The framework compares with the newest package in the bucket and skips what looks the same. After a
 * rollback, the newest package is not the running one.
 */
async function mustForce(
  { target }: DeployGround,
  before: StackState | undefined,
  { cloudFormation, s3 }: Clients,
): Promise<boolean> {
  const bucket = before && (await bucketOf(cloudFormation, before.id));
  if (before === undefined || bucket === undefined) return false;
  const prefix = deploymentPrefix(target);
  const live = directoryOfTemplate(await readLiveTemplate(cloudFormation, before.id), prefix);
  const [newest] = await listDeployments(s3, bucket, prefix);
  return newest !== undefined && newest.directory !== live;
}

async function letFrameworkDeploy(
  { folder }: ServicePackage,
  ground: DeployGround,
  { isForced, sinceMs }: { readonly isForced: boolean; readonly sinceMs: number },
  client: CloudFormationClient,
): Promise<void> {
  const { target, edges, out } = ground;
  const { stage, region } = target;
  const env = await frameworkEnvironment(ground, deploymentMs);
  out.progress(`deploys to ${target.title}`);
  const run = await runServerless(
    [
      "deploy",
      "--verbose",
      "--stage",
      stage,
      "--region",
      region,
      "--package",
      folder,
      ...(isForced ? ["--force"] : []),
    ],
    { ...edges, env, onLine: (line) => out.progress(line) },
  );
  edges.signal.throwIfAborted();
  if (!run.isDone) throw await explainFailure(run.lines, sinceMs, target, client);
}

/** Records the running package in the bucket, for rollbacks. */
export async function noteWhatRuns(
  { target, edges }: DeployGround,
  { cloudFormation, s3 }: Clients,
): Promise<void> {
  const state = await readStackState(cloudFormation, target.stackName);
  const bucket = state && (await bucketOf(cloudFormation, state.id));
  if (state === undefined || bucket === undefined) return;
  const prefix = deploymentPrefix(target);
  const directory = directoryOfTemplate(await readLiveTemplate(cloudFormation, state.id), prefix);
  if (directory !== undefined) await noteDeployment(s3, bucket, { prefix, directory }, edges.now());
}
