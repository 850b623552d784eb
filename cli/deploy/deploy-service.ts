import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type BuiltFor, whyNotDeployed } from "../../build/built-for.ts";
import { readServedApps } from "../../build/served-apps.ts";
import { refuseSingleSecrets } from "../apps/single-secrets.ts";
import { openApps } from "../apps/stage-apps.ts";
import { CliError } from "../cli-error.ts";
import { lossesOf, type ResourceChange } from "../stack/changes.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import { checkBefore, noteSubscribers } from "./check-before.ts";
import type { DeployGround } from "./deploy-ground.ts";
import { refuseAddressLost } from "./deployed-addresses.ts";
import { refuseEndingFlows } from "./deployed-flows.ts";
import { type DeployedPackages, findPackages, noteWhatRuns, warnAppsLost } from "./deployments.ts";
import { deploymentMs, frameworkEnvironment } from "./framework-environment.ts";
import { makeReady, readForRehearsal, waitForQueueNames } from "./make-ready.ts";
import { packageService, readPackage, type ServicePackage, showsTexts } from "./package-service.ts";
import { type Preview, previewChanges } from "./preview.ts";
import { printChanges, refuseLosses } from "./print-changes.ts";
import { letFrameworkChange } from "./run-framework.ts";

export interface DeployWish {
  /** An existing package; default: packages again. */
  readonly packageFolder?: string | undefined;
  /** Even if a deletion loses data or an address that others use. */
  readonly allowLoss: boolean;
  readonly rehearse: boolean;
  /** Of rights, region and limits. */
  readonly skipChecks: boolean;
}

export interface Deployed {
  readonly outcome: "rehearsed" | "created" | "updated" | "unchanged";
  readonly changes: readonly ResourceChange[];
  readonly outputs: Readonly<Record<string, string>>;
  /** Apps that only the previous deployment served. */
  readonly servesNoMore: readonly string[];
}

/**
 * Checks, packages, shows the changes, asks, and runs the framework. May be repeated.
 * @throws CliError
 */
export async function deployService(ground: DeployGround, wish: DeployWish): Promise<Deployed> {
  const { target, out, confirm, cloudFormation } = ground;
  if (!wish.skipChecks) await checkBefore(ground, { isRehearsal: wish.rehearse });
  const own =
    wish.packageFolder === undefined ? await mkdtemp(join(tmpdir(), "service-package-")) : undefined;
  try {
    await refuseSingleSecrets(await openApps(target, ground.edges));
    const ready = await preparePackage(ground, wish, own);
    const before = wish.rehearse ? await readForRehearsal(ground) : await makeReady(ground);
    const packages = before && (await findPackages(ground, before.id));
    const { changes, differs } = await changesOf(ready, before, packages, ground);
    printChanges(changes, out, target.title);
    const servesNoMore = warnAppsLost(packages?.template ?? "", ready.builtFor, out);
    if (showsTexts(ready.template)) {
      out.note(
        "! The logs will show the messages of all errors, which may quote users: LOG_FOREIGN_MESSAGES",
      );
    }
    const shown = { changes, outputs: before?.outputs ?? {}, servesNoMore };
    if (wish.rehearse) return { ...shown, outcome: "rehearsed" };
    if (!differs) return { ...shown, outcome: "unchanged" };
    refuseLosses(lossesOf(changes), wish.allowLoss);
    refuseAddressLost(before, ready.template, wish.allowLoss);
    await refuseEndingFlows(target, changes, wish.allowLoss);
    await confirm(`Deploy this to ${target.title}?`);
    await refuseChanged(ground, before);
    await waitForQueueNames(ground);
    out.progress(`deploys to ${target.title}`);
    // By itself, the framework skips what looks like the newest package in the bucket, which after a rollback
    // is not the running one.
    await letFrameworkChange(ground, before?.id, ["deploy", "--package", ready.folder, "--force"]);
    const { outputs } = await target.rereadStack();
    await noteWhatRuns(ground);
    await noteSubscribers(ground);
    const after = await readStackState(cloudFormation, target.stackName);
    const isTouched = after?.changedAt?.getTime() !== before?.changedAt?.getTime();
    const outcome = before === undefined ? "created" : isTouched ? "updated" : "unchanged";
    return { ...shown, outputs, outcome };
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  }
}

async function preparePackage(
  ground: DeployGround,
  { packageFolder = "", rehearse }: DeployWish,
  ownFolder: string | undefined,
): Promise<ServicePackage> {
  const { edges, out } = ground;
  const { stage, region } = ground.target;
  const env = await frameworkEnvironment(ground, rehearse ? 0 : deploymentMs);
  const appIds = (await readServedApps(edges.projectFolder)).get(stage) ?? [];
  if (appIds.length === 0) refuseOther(undefined, { stage, appIds });
  if (ownFolder === undefined) {
    const made = await readPackage(resolve(edges.projectFolder, packageFolder));
    refuseOther(made.builtFor, { stage, appIds });
    return made;
  }
  out.progress(`packaging the service for the stage ${stage}`);
  const onLine = (line: string) => out.progress(line);
  return await packageService({ stage, region, folder: ownFolder }, { ...edges, env, onLine });
}

/** @throws CliError if the package was made for another stage or apps, or does not say */
function refuseOther(built: BuiltFor | undefined, wanted: BuiltFor): void {
  const reason = whyNotDeployed(built, wanted);
  if (reason !== undefined) {
    throw new CliError("refused", "NOT_BUILT_FOR_THIS", reason, "Nothing was changed.");
  }
}

/** Without a stack, everything is new. */
async function changesOf(
  { template, added, stackTags }: ServicePackage,
  before: StackState | undefined,
  packages: DeployedPackages | undefined,
  ground: DeployGround,
): Promise<Preview> {
  if (before === undefined || packages === undefined) return { changes: added, differs: true };
  ground.out.progress("asking CloudFormation what would change");
  const tags = { STAGE: ground.target.stage, ...stackTags };
  return await previewChanges(ground, {
    ...packages,
    stackId: before.id,
    template: { text: template },
    tags,
  });
}

/** @throws CliError if the stack has changed since the question */
export async function refuseChanged(
  { cloudFormation, target: { stackName } }: DeployGround,
  before: StackState | undefined,
): Promise<void> {
  const now = await readStackState(cloudFormation, stackName);
  if (now?.changedAt?.getTime() === before?.changedAt?.getTime() && now?.id === before?.id) return;
  throw new CliError(
    "refused",
    "CHANGED_SINCE",
    `${stackName} has changed since the question, and nothing was deployed.`,
    "Check the changes, and run this again.",
  );
}
