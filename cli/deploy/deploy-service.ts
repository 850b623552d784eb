import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { whyNotDeployed } from "../../build/built-for.ts";
import { readAppsOf } from "../../build/served-apps.ts";
import { unlessNotFound } from "../../lib/aws/aws-call.ts";
import { describeError } from "../../lib/base/describe-error.ts";
import { createDurableApi } from "../../lib/flows/durable-api.ts";
import { refuseWithoutWebhookSecret } from "../apps/app-secret.ts";
import { openApps } from "../apps/stage-apps.ts";
import { refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { shellText } from "../shell-text.ts";
import { parseTemplate, printChanges, type ResourceChange, wouldLose } from "../stack/changes.ts";
import { readStackState, type StackState, type Target } from "../target/target.ts";
import { noteChangedSettings } from "./changed-settings.ts";
import { checkBefore, noteSubscribers } from "./check-before.ts";
import type { Deployment } from "./choose-deployment.ts";
import {
  directoryOfTemplate,
  findPackages,
  noteFlowsLost,
  noteWhatRuns,
  previewChanges,
  warnAppsLost,
} from "./deployments.ts";
import { makeReady, waitForQueueNames } from "./make-ready.ts";
import {
  deploymentMs,
  type FrameworkChange,
  frameworkEnvironment,
  letFrameworkChange,
  packageService,
  readPackage,
  showsTexts,
} from "./package-service.ts";
import { refuseLoss, refuseOlderPackage } from "./refuse-loss.ts";

export interface DeployWish {
  /** An existing package; default: packages again. */
  readonly package?: string | undefined;
  readonly allowLoss: boolean;
  /** Apps that the deployment may stop serving. */
  readonly dropApp?: readonly string[];
  readonly dryRun?: boolean;
  readonly skipChecks?: boolean;
  /** Called before the framework begins: something may be deployed afterwards. */
  readonly onBegin?: (() => void) | undefined;
}

export interface Deployed {
  outcome: "rehearsed" | "created" | "updated" | "unchanged";
  changes: readonly ResourceChange[];
  outputs: Record<string, string>;
  servesNoMore: readonly string[];
}

export async function deployService(context: WorkContext, wish: DeployWish): Promise<Deployed> {
  const { target, out } = context;
  const { stage, stackName, title } = target;
  const refusal = wish.skipChecks ? undefined : await checkBefore(context, wish.dryRun === true);
  const own = await mkdtemp(join(tmpdir(), "service-package-"));
  try {
    const { folder, template, stackTags, builtFor } = await preparePackage(context, wish, own);
    const before = await makeReady(context, wish.dryRun);
    const packages = before && (await findPackages(context));
    if (packages !== undefined) out.progress("asking CloudFormation what would change");
    const found = packages
      ? await previewChanges(context, packages, { text: template }, { STAGE: stage, ...stackTags })
      : allOf(template);
    const changes = found ?? [];
    printChanges(changes, out, title);
    const running = packages?.template ?? "";
    const servesNoMore = warnAppsLost(running, builtFor, out);
    noteFlowsLost(running, template, out);
    noteChangedSettings(running, template, out);
    if (showsTexts(template)) {
      out.note(
        "! The logs will show the messages of all errors, which may quote users: LOG_FOREIGN_MESSAGES",
      );
    }
    const shown = { changes, outputs: before?.outputs ?? {}, servesNoMore };
    if (refusal !== undefined) throw refusal;
    await refuseWithoutWebhookSecret(await openApps(target, context.edges), out);
    if (found !== undefined) {
      const { allowLoss } = wish;
      const change = { before, running, changes, template, allowLoss, way: "deploy" } as const;
      const made = packages && directoryOfTemplate(template, packages.prefix);
      await refuseLoss(context, change, {
        firm: [() => refuseAppsLost(servesNoMore, stage, wish)],
        usual: [() => refuseOlderPackage(made, packages?.live, { stage, package: wish.package })],
      });
    }
    if (wish.dryRun) return { ...shown, outcome: "rehearsed" };
    if (found === undefined) return { ...shown, outcome: "unchanged" };
    await changeStack(context, before, {
      question: `Deploy this to ${title}?`,
      // Without it, the framework skips the package that looks newest: after a rollback, not the running one.
      command: ["deploy", "--package", folder, "--force"],
      leftBy: "deployment",
      onBegin: wish.onBegin,
    });
    await noteSubscribers(context);
    const after = await readStackState(target.cloudFormation, stackName);
    const isTouched = after?.changedAt?.getTime() !== before?.changedAt?.getTime();
    const outcome = before === undefined ? "created" : isTouched ? "updated" : "unchanged";
    return { ...shown, outputs: after?.outputs ?? {}, outcome };
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function preparePackage(context: WorkContext, wish: DeployWish, ownFolder: string) {
  const { edges, out, target } = context;
  const { stage, region } = target;
  const env = await frameworkEnvironment(context, wish.dryRun ? 0 : deploymentMs);
  const wanted = { stage, appIds: await readAppsOf(edges.projectFolder, stage) };
  const made =
    wish.package === undefined ? undefined : await readPackage(resolve(edges.projectFolder, wish.package));
  const reason = whyNotDeployed(made === undefined ? wanted : made.builtFor, wanted);
  if (reason !== undefined) {
    throw refused("NOT_BUILT_FOR_THIS", reason, "Nothing was changed.");
  }
  if (made !== undefined) return made;
  out.progress(`packaging the service for the stage ${stage}`);
  const where = { stage, region, folder: ownFolder };
  const { credentials } = target;
  return await packageService(where, { ...edges, env, credentials, onLine: out.progress });
}

function refuseAppsLost(
  servesNoMore: readonly string[],
  stage: string,
  { package: folder, dropApp = [] }: DeployWish,
) {
  const lost = servesNoMore.filter((appId) => !dropApp.includes(appId));
  if (lost.length === 0) return;
  const given = folder === undefined ? "" : ` --package ${shellText(folder)}`;
  const dropped = servesNoMore.map((appId) => ` --drop-app ${appId}`).join("");
  throw wouldLose(
    `This package does not serve ${lost.join(", ")}, whose deliveries would be refused.`,
    `To keep serving them, add them to config/apps.yml: a colleague may have done so (git pull). To stop with them: npx cometchat-functions deploy --stage ${stage}${given}${dropped}`,
  );
}

function allOf(template: string): readonly ResourceChange[] {
  return Object.entries(parseTemplate(template).Resources).map(([logicalId, { Type: type }]) => ({
    action: "add",
    logicalId,
    type,
    isKept: false,
  }));
}

/** Asks, and records the running package. @throws CliError if the stack has changed since the question */
export async function changeStack(
  context: WorkContext,
  before: StackState | undefined,
  change: FrameworkChange & Pick<Deployment, "leftBy"> & { readonly question: string },
): Promise<void> {
  const { target, edges, out, confirm } = context;
  await confirm(change.question);
  const now = await readStackState(target.cloudFormation, target.stackName);
  if (now?.changedAt?.getTime() !== before?.changedAt?.getTime() || now?.id !== before?.id) {
    throw refused(
      "CHANGED_SINCE",
      `${target.stackName} has changed since the question, and nothing was deployed.`,
      change.again === undefined
        ? "Check the changes, and run this again."
        : `Check the changes. Then: ${change.again}`,
    );
  }
  await waitForQueueNames(context);
  // A killed deployment, or one by the framework alone, recorded nothing.
  if (before?.changedAt !== undefined) await noteWhatRuns(context, before.changedAt, change.leftBy);
  out.progress(`deploys to ${target.title}`);
  if (now !== undefined) await publishFlows(target);
  await letFrameworkChange(context, before, change);
  await noteWhatRuns(context, new Date(edges.now())).catch((error: unknown) =>
    out.note(
      `The record of what runs was not written; the next deployment or rollback writes it: ${describeError(error)}`,
    ),
  );
}

/**
 * Publishes the running code of flows if a rollback kept a later version: Lambda publishes none that equals
 * the last one, and CloudFormation would refuse.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
 */
async function publishFlows({ stackName, callAws }: Target) {
  const parts = ["functions", `${stackName}-flows`, "versions"];
  const address = { method: "POST", api: "2015-03-31", parts } as const;
  await unlessNotFound(createDurableApi(callAws)("PublishVersion", address));
}
