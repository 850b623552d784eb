import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { lossesOf, type ResourceChange } from "../stack/changes.ts";
import { previewChanges } from "../stack/preview.ts";
import { endOfHappenings } from "../stack/stack-events.ts";
import { appsLost, readBuiltForOf, warnAppsLost } from "./apps-lost.ts";
import { chooseDeployment, nothingToGoBackTo, timeOf } from "./choose-deployment.ts";
import type { DeployGround } from "./deploy-ground.ts";
import { noteWhatRuns, refuseChanged } from "./deploy-service.ts";
import {
  bucketOf,
  type Deployment,
  deploymentPrefix,
  directoryOfTemplate,
  listDeployments,
  readLiveTemplate,
  templateKeyOf,
} from "./deployments.ts";
import { explainFailure } from "./explain-failure.ts";
import { deploymentMs, frameworkEnvironment } from "./framework-environment.ts";
import { makeReady, readForRehearsal } from "./make-ready.ts";
import { printChanges, refuseLosses } from "./print-changes.ts";
import { runServerless } from "./run-serverless.ts";

export interface RollBackWish {
  /**
   * When the wanted package was made, as `--list` prints it; default: the last one that ran before the
   * current one.
   */
  readonly to: string | undefined;
  readonly allowLoss: boolean;
  readonly rehearse: boolean;
}

export interface RolledBack {
  readonly outcome: "rehearsed" | "rolled back" | "unchanged";
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly ResourceChange[];
}

/**
 * Deploys an earlier package again: shows the changes, asks, and runs the framework. Tables, queues and
 * secrets keep their content. May be repeated.
 * @throws CliError
 */
export async function rollBackService(ground: DeployGround, wish: RollBackWish): Promise<RolledBack> {
  const { target, edges, out, confirm } = ground;
  const cloudFormation = target.client(CloudFormationClient, "CLOUDFORMATION");
  const s3 = target.client(S3Client, "S3");
  try {
    if (!wish.rehearse) await frameworkEnvironment(ground, deploymentMs);
    await target.stack();
    const state = wish.rehearse
      ? await readForRehearsal(cloudFormation, ground)
      : await makeReady(cloudFormation, ground);
    const bucket = state && (await bucketOf(cloudFormation, state.id));
    if (state === undefined || bucket === undefined) throw nothingToGoBackTo(target.title);
    const prefix = deploymentPrefix(target);
    const running = await readLiveTemplate(cloudFormation, state.id);
    const live = directoryOfTemplate(running, prefix);
    const wanted = chooseDeployment(await listDeployments(s3, bucket, prefix), live, wish.to, target);
    const from = live === undefined ? undefined : timeOf(live);
    const to = timeOf(wanted.directory);
    if (wanted.directory === live) return { outcome: "unchanged", from, to, changes: [] };
    if (wanted.liveAtMs === undefined) {
      out.note(`The package of ${to} is not known to have run: its deployment may have failed.`);
    }
    const { changes } = await previewChanges(cloudFormation, s3, {
      ...{ stackId: state.id, template: { key: templateKeyOf(prefix, wanted.directory) }, bucket },
      ...{ region: target.region, folder: `${prefix}preview`, token: edges.token(), sleep: edges.sleep },
    });
    out.note(`from the package of ${from ?? "an unknown time"} to that of ${to}`);
    printChanges(changes, out, target.title);
    const template = await s3.send(
      new GetObjectCommand({ Bucket: bucket, Key: templateKeyOf(prefix, wanted.directory) }),
    );
    const wantedFor = readBuiltForOf((await template.Body?.transformToString()) ?? "");
    const lost = appsLost(readBuiltForOf(running), wantedFor);
    warnAppsLost(lost, out);
    if (wish.rehearse) return { outcome: "rehearsed", from, to, changes };
    refuseLosses(lossesOf(changes), wish.allowLoss);
    refuseAppsLost(lost, to, wish.allowLoss);
    await confirm(`Go back to the package of ${to}?`);
    await refuseChanged(cloudFormation, state, target.stackName);
    await letFrameworkGoBack(wanted, ground, cloudFormation);
    await noteWhatRuns(ground, { cloudFormation, s3 });
    return { outcome: "rolled back", from, to, changes };
  } finally {
    cloudFormation.destroy();
    s3.destroy();
  }
}

/** Lists the packages that a stage can go back to, newest first. @throws CliError if nothing is deployed */
export async function listPackages({ target }: Pick<DeployGround, "target">) {
  const cloudFormation = target.client(CloudFormationClient, "CLOUDFORMATION");
  const s3 = target.client(S3Client, "S3");
  try {
    const { name } = await target.stack();
    const bucket = await bucketOf(cloudFormation, name);
    if (bucket === undefined) return [];
    const prefix = deploymentPrefix(target);
    const live = directoryOfTemplate(await readLiveTemplate(cloudFormation, name), prefix);
    return (await listDeployments(s3, bucket, prefix)).map(({ directory, liveAtMs }) => ({
      packagedAt: timeOf(directory),
      ...(liveAtMs !== undefined && { liveAt: new Date(liveAtMs).toISOString() }),
      runsNow: directory === live,
    }));
  } finally {
    cloudFormation.destroy();
    s3.destroy();
  }
}

/** An operator who rolls back wants the old code, and seldom wants to lose the apps added since. */
function refuseAppsLost(lost: readonly string[], to: string, isAllowed: boolean): void {
  if (lost.length === 0 || isAllowed) return;
  throw new CliError(
    `The package of ${to} does not serve ${lost.join(", ")}, whose deliveries would be refused. Nothing was changed.`,
    {
      code: "WOULD_LOSE",
      exitCode: exitCodes.refused,
      hint: "Check out the earlier version with today's config/apps.yml, and deploy that; or add --allow-loss.",
    },
  );
}

async function letFrameworkGoBack(
  { packagedAtMs }: Deployment,
  ground: DeployGround,
  client: CloudFormationClient,
): Promise<void> {
  const { target, edges, out } = ground;
  const sinceMs = await endOfHappenings(client, target.stackName);
  const env = await frameworkEnvironment(ground, deploymentMs);
  const run = await runServerless(
    [
      "rollback",
      "--verbose",
      "--stage",
      target.stage,
      "--region",
      target.region,
      "--timestamp",
      String(packagedAtMs),
    ],
    { ...edges, env, onLine: (line) => out.progress(line) },
  );
  edges.signal.throwIfAborted();
  if (!run.isDone) throw await explainFailure(run.lines, sinceMs, target, client);
}
