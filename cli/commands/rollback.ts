import { GetObjectCommand } from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { chooseDeployment, nothingToGoBackTo, timeOf } from "../deploy/choose-deployment.ts";
import { type DeployGround, openDeployGround } from "../deploy/deploy-ground.ts";
import { refuseChanged } from "../deploy/deploy-service.ts";
import { refuseAddressLost } from "../deploy/deployed-addresses.ts";
import { refuseEndingFlows } from "../deploy/deployed-flows.ts";
import {
  builtForOf,
  findPackages,
  listDeployments,
  noteWhatRuns,
  templateKeyOf,
  warnAppsLost,
} from "../deploy/deployments.ts";
import { deploymentMs, frameworkEnvironment } from "../deploy/framework-environment.ts";
import { makeReady, readForRehearsal } from "../deploy/make-ready.ts";
import { previewChanges } from "../deploy/preview.ts";
import { printChanges, refuseLosses } from "../deploy/print-changes.ts";
import { letFrameworkChange } from "../deploy/run-framework.ts";
import { flag, text } from "../options.ts";
import { changeSchema, lossesOf, type ResourceChange } from "../stack/changes.ts";

const packagesSchema = z.strictObject({
  packages: z.readonly(
    z.array(z.strictObject({ packagedAt: z.string(), liveAt: z.optional(z.string()), runsNow: z.boolean() })),
  ),
});

const rolledBackSchema = z.strictObject({
  outcome: z.enum(["rehearsed", "rolled back", "unchanged"]),
  from: z.optional(z.string()),
  to: z.string(),
  changes: z.readonly(z.array(changeSchema)),
});

export const command = defineCommand({
  description:
    "Deploys the package that ran before the current one, or the one of --to. The bucket keeps the last five. Tables, queues and secrets keep their content. Running flows finish on the code that they started with.",
  examples: `
    $ rollback --stage prod --list
        list the packages
    $ rollback --stage prod --dry-run
        show what would change
    $ rollback --stage prod
        show what will change, ask, and roll back
    $ rollback --stage prod --to 2026-11-22T05:25:29.952Z
        roll back to this package
  `,
  options: {
    list: flag("list the packages, and change nothing"),
    dryRun: flag("show what would change, and change nothing"),
    to: text("<time>", "when the package was made, as --list shows it"),
    allowLoss: flag(
      "continue even if something is destroyed that holds data or is an address that others use, or an app is no longer served",
    ),
  },
  changes: true,
  needsStage: true,
  json: z.union([packagesSchema, rolledBackSchema]),
  run: async ({ options, ...context }) => {
    const ground = openDeployGround(context, "The local stack has no earlier packages.");
    const { list, dryRun: rehearse, ...wish } = options;
    return list
      ? { packages: await listPackages(ground) }
      : await rollBackService(ground, { rehearse, ...wish });
  },
  print: (result, out) => {
    if ("packages" in result) {
      for (const { packagedAt, liveAt, runsNow } of result.packages) {
        const since = liveAt === undefined ? "not known to have run" : `ran from ${liveAt}`;
        out.line(`${packagedAt}  ${since}${runsNow ? ", runs now" : ""}`);
      }
      if (result.packages.length === 0) out.line("There are none.");
      return;
    }
    out.line(
      {
        rehearsed: "This was a rehearsal: nothing was changed.",
        "rolled back": `The package of ${result.to} is running.`,
        unchanged: `The package of ${result.to} was already running.`,
      }[result.outcome],
    );
  },
});

interface RollBackWish {
  /** When the package was made, as `--list` prints it; default: the last one before the current one. */
  readonly to: string | undefined;
  readonly allowLoss: boolean;
  readonly rehearse: boolean;
}

interface RolledBack {
  readonly outcome: "rehearsed" | "rolled back" | "unchanged";
  readonly from: string | undefined;
  readonly to: string;
  readonly changes: readonly ResourceChange[];
}

/**
 * Tables, queues and secrets keep their content. May be repeated.
 * @throws CliError
 */
async function rollBackService(ground: DeployGround, wish: RollBackWish): Promise<RolledBack> {
  const { target, out, confirm, s3 } = ground;
  if (!wish.rehearse) await frameworkEnvironment(ground, deploymentMs);
  await target.stack();
  const state = wish.rehearse ? await readForRehearsal(ground) : await makeReady(ground);
  const packages = state && (await findPackages(ground, state.id));
  if (state === undefined || packages === undefined) throw nothingToGoBackTo(target.title);
  const { live, bucket } = packages;
  const wanted = chooseDeployment(await listDeployments(s3, packages), live, wish.to, target);
  const from = live === undefined ? undefined : timeOf(live);
  const to = timeOf(wanted.directory);
  if (wanted.directory === live) return { outcome: "unchanged", from, to, changes: [] };
  if (wanted.liveAtMs === undefined) {
    out.note(`The package of ${to} is not known to have run: its deployment may have failed.`);
  }
  const key = templateKeyOf(packages, wanted.directory);
  const { changes } = await previewChanges(ground, { ...packages, stackId: state.id, template: { key } });
  out.note(`from the package of ${from ?? "an unknown time"} to that of ${to}`);
  printChanges(changes, out, target.title);
  const template = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  const templateText = (await template.Body?.transformToString()) ?? "{}";
  const wantedFor = builtForOf(templateText);
  const lost = warnAppsLost(packages.template, wantedFor, out);
  if (wish.rehearse) return { outcome: "rehearsed", from, to, changes };
  refuseLosses(lossesOf(changes), wish.allowLoss);
  await refuseEndingFlows(target, changes, wish.allowLoss);
  refuseAppsLost(lost, to, wish.allowLoss);
  refuseAddressLost(state, templateText, wish.allowLoss);
  await confirm(`Go back to the package of ${to}?`);
  await refuseChanged(ground, state);
  await letFrameworkChange(ground, state.id, ["rollback", "--timestamp", String(wanted.packagedAtMs)]);
  await noteWhatRuns(ground);
  return { outcome: "rolled back", from, to, changes };
}

/**
 * Newest first.
 * @throws CliError if nothing is deployed
 */
async function listPackages(ground: DeployGround) {
  const packages = await findPackages(ground, (await ground.target.stack()).name);
  if (packages === undefined) return [];
  return (await listDeployments(ground.s3, packages)).map(({ directory, liveAtMs }) => ({
    packagedAt: timeOf(directory),
    ...(liveAtMs !== undefined && { liveAt: new Date(liveAtMs).toISOString() }),
    runsNow: directory === packages.live,
  }));
}

/** A rollback seldom means to lose the apps added since. */
function refuseAppsLost(lost: readonly string[], to: string, isAllowed: boolean): void {
  if (lost.length === 0 || isAllowed) return;
  throw new CliError(
    "refused",
    "WOULD_LOSE",
    `The package of ${to} does not serve ${lost.join(", ")}, whose deliveries would be refused. Nothing was changed.`,
    "Check out the earlier version with today's config/apps.yml, and deploy that; or add --allow-loss.",
  );
}
