import { refused } from "../cli-error.ts";
import { defineCommand, flag, text, type WorkContext } from "../command.ts";
import { chooseDeployment, isEarlier, nothingToGoBackTo, timeOf } from "../deploy/choose-deployment.ts";
import { changeStack } from "../deploy/deploy-service.ts";
import {
  builtForOf,
  findPackages,
  listDeployments,
  noteFlowsLost,
  previewChanges,
  readObject,
  templateKeyOf,
  warnAppsLost,
} from "../deploy/deployments.ts";
import { makeReady } from "../deploy/make-ready.ts";
import { deploymentMs, frameworkEnvironment } from "../deploy/package-service.ts";
import { refuseLoss } from "../deploy/refuse-loss.ts";
import { printChanges, wouldLose } from "../stack/changes.ts";
import type { Target } from "../target/target.ts";

export const command = defineCommand({
  description:
    "Deploys the package that ran before the current one, or the one of --to. The bucket keeps the last twenty. Tables, queues and secrets keep their content. Running flows finish on the code that they started with.",
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
      "continue even if something is destroyed that holds data, or the HTTP API, or an app is no longer served",
    ),
  },
  changes: true,
  needsStage: true,
  isRemote: true,
  run: async ({ options, ...context }) =>
    options.list ? { packages: await listPackages(context) } : await rollBackService(context, options),
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
        rehearsed: "Nothing was changed.",
        "rolled back": `The package of ${result.to} is running.`,
        unchanged: `The package of ${result.to} was already running.`,
      }[result.outcome],
    );
  },
});

async function rollBackService(
  context: WorkContext,
  { dryRun, to: wantedTime, allowLoss }: { dryRun: boolean; to: string | undefined; allowLoss: boolean },
) {
  const { target, out } = context;
  if (!dryRun) await frameworkEnvironment(context, deploymentMs);
  await target.stack();
  let hasWaited = false;
  const before = await makeReady(context, dryRun, () => {
    hasWaited = true;
  });
  if (hasWaited && wantedTime === undefined) throw changedSince(target);
  const packages = before && (await findPackages(context));
  if (packages === undefined) throw nothingToGoBackTo(target.title);
  const { live } = packages;
  const deployments = await listDeployments(packages);
  const chosen = chooseDeployment(deployments, live, wantedTime, target);
  const { directory, liveAt } = chosen;
  const from = live === undefined ? undefined : timeOf(live);
  const to = timeOf(directory);
  if (directory === live) return { outcome: "unchanged" as const, from, to, changes: [] };
  if (liveAt === undefined) {
    out.note(`The package of ${to} is not known to have run: its deployment may have failed.`);
  }
  const key = templateKeyOf(packages, directory);
  const changes = (await previewChanges(context, packages, { key })) ?? [];
  out.note(`from the package of ${from ?? "an unknown time"} to that of ${to}`);
  printChanges(changes, out, target.title);
  const template = await readObject(packages, key);
  const lost = warnAppsLost(packages.template, builtForOf(template), out);
  noteFlowsLost(packages.template, template, out);
  const change = {
    before,
    running: packages.template,
    changes,
    template,
    allowLoss,
    way: "rollback",
  } as const;
  await refuseLoss(context, change, { usual: [() => refuseAppsLost(lost, to)] });
  if (/"APP_DRIFT": *"repair"/.test(template)) {
    out.note(
      `The nightly job seed of that package makes the apps match its config/app/ again (drift: repair). See what that changes, in a checkout of it: npx cometchat-functions app apply --dry-run --stage ${target.stage}`,
    );
  }
  if (dryRun) return { outcome: "rehearsed" as const, from, to, changes };
  const loss = allowLoss ? " --allow-loss" : "";
  await changeStack(context, before, {
    question: `Go back to the package of ${to}?`,
    command: ["rollback", "--timestamp", directory.split("-")[0] ?? ""],
    leftBy: isEarlier(chosen, live) || directory < (live ?? "") ? "rollback" : "deployment",
    again: `npx cometchat-functions rollback --stage ${target.stage} --to ${to}${loss}`,
  });
  return { outcome: "rolled back" as const, from, to, changes };
}

/** A rollback rarely intends to lose the apps added since. */
function refuseAppsLost(lost: readonly string[], to: string) {
  if (lost.length === 0) return;
  throw wouldLose(
    `The package of ${to} does not serve ${lost.join(", ")}, whose deliveries would be refused.`,
    "Check out the earlier version with today's config/apps.yml, and deploy that; or add --allow-loss.",
  );
}

function changedSince({ stackName, stage }: Target) {
  return refused(
    "CHANGED_SINCE",
    `${stackName} was changing when this began, and nothing was rolled back: its previous package may be another one now.`,
    `List the packages: npx cometchat-functions rollback --stage ${stage} --list\nThen name one with --to.`,
  );
}

/** @throws CliError if nothing is deployed */
async function listPackages(context: WorkContext) {
  const packages = await findPackages(context);
  if (packages === undefined) return [];
  return (await listDeployments(packages)).map(({ directory, liveAt }) => ({
    packagedAt: timeOf(directory),
    liveAt,
    runsNow: directory === packages.live,
  }));
}
