import { AwsCallError } from "../../lib/aws/aws-call.ts";
import { isDone } from "../../lib/operate/app-as-code/apply-plan.ts";
import { isToDo } from "../../lib/operate/app-as-code/plan-app.ts";
import { readPendingSince } from "../../lib/operate/doctor/app-secret-state.ts";
import { needsOf } from "../../lib/operate/doctor/doctor-services.ts";
import type { Finding } from "../../lib/operate/doctor/finding.ts";
import { publicUrlOf, webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { applyPlans, makePlans, type PlanWish } from "../app/make-plans.ts";
import { readAppSecret, rotationUnderWay } from "../apps/app-secret.ts";
import { openApps, readDeployedApps, type StageApps } from "../apps/stage-apps.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import type { CommandContext, WorkContext } from "../command.ts";
import { checkBefore } from "../deploy/check-before.ts";
import { type DeployWish, deployService } from "../deploy/deploy-service.ts";
import { type AddressList, deployedAddresses } from "../deploy/deployed-addresses.ts";
import { nameTrigger } from "../doctor/check-drift.ts";
import { examineTarget } from "../doctor/examine-target.ts";
import type { CliEdges } from "../edges.ts";
import { flag, type OptionValues, text } from "../options.ts";
import { readSecret } from "../read-secret.ts";
import { standingOf } from "../stack/stack-state.ts";
import { openDeployedManagement } from "../target/open-management.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";
import { chooseServed } from "../trigger/who-acts.ts";
import { moveWebhooks, putAddress, writeAddresses } from "./addresses.ts";
import { chooseApp, keyQuestion, putAppAccess } from "./app-access.ts";
import { openManagement, parseManagementPair } from "./management.ts";
import { putAppWebhook, type WantedWebhook } from "./put-webhook.ts";

export const setupOptions = {
  app: text("<id>", "the app's id (default: the only one of the stage)"),
  appRegion: text("<us|eu|in>", "the platform's region of the app"),
  apiKeyStdin: flag("read the API key from standard input"),
  managementStdin: flag(
    'read the management credentials from it, as {"key", "secret"}; after a line with the key',
  ),
  byHand: flag("use no management credentials: print what to enter in the dashboard"),
  showPassword: flag("print the webhook's password on this terminal, and do nothing else"),
  newAddress: flag("replace the stage's address: both are served until the platform uses the new one"),
  allowLoss: flag("deploy even if something is destroyed that holds data or is an address that others use"),
  skipChecks: flag("deploy without checking rights, region and limits before"),
};

export type SetupWish = OptionValues<typeof setupOptions>;

export interface SetUp {
  appId: string;
  secret: "made" | "restored" | "completed" | "unchanged" | "region changed";
  list: "added" | "unchanged";
  deployment: "created" | "updated" | "unchanged" | "serves it already";
  /** Settings of config/app/ created or changed. */
  settings: number;
  /** With the values for entering it by hand. */
  webhook: {
    outcome: "created" | "brought up to date" | "by hand";
    id?: string | undefined;
    /** What differed, if known, and was changed. */
    changed: string[];
    url: string;
    username: string;
    triggers: string[];
  };
  /** Still served, until a later run; "" stands for the plain paths. */
  oldAddresses: string[];
  triggersOn: string[];
  findings: Finding[];
}

export type SetupContext = WorkContext & Pick<CommandContext<never, never>, "record" | "isDryRun">;

/** @throws CliError if the app's id is missing or wrong, or its credentials are being rotated */
export async function openSetup(ground: SetupContext, wish: SetupWish) {
  const { target, edges } = ground;
  const stdin = await readStdin(wish, edges);
  const appId = await chooseApp(wish.app, ground);
  const apps = await openApps(target, edges);
  await refuseWhileRotating(appId, target, apps.secretPrefix);
  const isStage = target.kind === "stage";
  if (!isStage && wish.newAddress) {
    throw wrongUse("The local stack keeps its addresses.", "Name a deployed stage: --stage <name>.");
  }
  const isServed = apps.isDeployed && (await serves(appId, target));
  if (isStage && !isServed && !wish.skipChecks) await checkBefore(ground, false);
  return { stdin, appId, apps, isStage, isServed };
}

/**
 * Detects finished steps: a later run continues where an earlier one ended.
 * @throws CliError
 */
export async function setUpApp(ground: SetupContext, wish: SetupWish): Promise<SetUp> {
  const { target, out } = ground;
  const { stdin, appId, apps, isStage, isServed } = await openSetup(ground, wish);
  const access = await putAppAccess(appId, { ...wish, apiKey: stdin.apiKey }, ground, apps);
  out.note(`✓ the platform accepts the key; secret ${apps.secretIdOf(appId)}: ${access.secret}`);

  const before = isStage && apps.isDeployed ? deployedAddresses(await target.stack()) : undefined;
  const addresses = isStage ? await putAddress(ground, before, wish.newAddress) : [];
  const isCurrent = !isStage || before?.join() === addresses.join();
  const deployment = isServed && isCurrent ? "serves it already" : await deployApp(appId, ground, wish);
  out.note(`✓ the functions serve the app (deployment: ${deployment})`);
  const stack = await target.rereadStack();

  const management = wish.byHand ? undefined : await openManagement(appId, stdin.management, ground, apps);
  const settings = await makeSettings(appId, ground);
  out.note(`✓ the app matches config/app/ (${settings} changed)`);

  const { triggersOn, wanted } = await readWanted(appId, ground, stack, apps);
  const { httpUrl, username, triggers } = wanted;
  const isFirst = access.secret === "made";
  const put = management && (await putAppWebhook(management, { ...wanted, isFirst }, ground));
  if (management !== undefined && addresses.length > 1) {
    const legacy = await openDeployedManagement(target, "legacy");
    const served = (await readDeployedApps(target)) ?? [appId];
    await moveWebhooks([management, ...(legacy === undefined ? [] : [legacy])], served, httpUrl);
  }
  const look = { appIds: [appId], sendsCanaries: false, patienceMs: 0 };
  const findings = await examineTarget(ground, look);
  const isProven = !findings.some(
    ({ check, status }) => status === "wrong" && (check === "webhook" || check === "receiver"),
  );
  // What is entered by hand is entered after the run that deploys the new address.
  const canEnd = isProven && (management !== undefined || isCurrent);
  const oldAddresses = addresses.slice(1);
  if (canEnd && oldAddresses.length > 0) await endOldAddresses(ground, addresses, httpUrl, wish);
  const url = webhookUrlOf(httpUrl, appId);
  const webhook = {
    username,
    triggers: [...triggers],
    url,
    changed: [],
    outcome: "by hand" as const,
    ...put,
  };
  return {
    appId,
    ...access,
    deployment,
    settings,
    webhook,
    triggersOn,
    findings,
    oldAddresses: canEnd ? [] : oldAddresses,
  };
}

export function endQuestion({ title }: Target, httpUrl: string): string {
  return `End the earlier addresses of ${title}? From then on they are answered 404. This command cannot change these callers; moderation uses ${httpUrl}/moderation/<appId>, logins and your own functions ${publicUrlOf(httpUrl)}/… Do they use the new addresses?`;
}

/** @throws CliError */
async function endOldAddresses(
  ground: WorkContext,
  [current = ""]: AddressList,
  httpUrl: string,
  wish: DeployWish,
): Promise<void> {
  await ground.confirm(endQuestion(ground.target, httpUrl));
  await writeAddresses(ground, [current]);
  await deployChecked(ground, wish);
  ground.out.note("✓ the earlier addresses are no longer served");
}

/** Its rights, region and limits are checked. */
async function deployChecked(ground: WorkContext, { allowLoss }: DeployWish) {
  return await deployService(ground, { allowLoss, skipChecks: true });
}

async function refuseWhileRotating(appId: string, { callAws }: Target, secretPrefix: string): Promise<void> {
  const since = await readPendingSince(appId, { callAws, secretPrefix }).catch((error: unknown) => {
    // The secret is being deleted.
    if (error instanceof AwsCallError && error.code === "InvalidRequestException") return undefined;
    throw error;
  });
  if (since !== undefined) throw rotationUnderWay(appId);
}

async function readStdin({ apiKeyStdin, managementStdin }: SetupWish, edges: CliEdges) {
  const ask = async (question: string) => (await readSecret(edges, question)).trim();
  if (edges.isStdinTerminal) {
    const apiKey = apiKeyStdin ? await ask(keyQuestion) : undefined;
    if (!managementStdin) return { apiKey };
    const pair = { key: await ask("Management API key"), secret: await ask("Management API secret") };
    return { apiKey, management: parseManagementPair(JSON.stringify(pair)) };
  }
  if (!apiKeyStdin && !managementStdin) return {};
  const typed = await edges.readStdin();
  if (!managementStdin) return { apiKey: typed };
  if (!apiKeyStdin) return { management: parseManagementPair(typed) };
  const [apiKey, ...others] = typed.split("\n");
  return { apiKey, management: parseManagementPair(others.join("\n")) };
}

/** It is unknown what a broken stack serves. */
async function serves(appId: string, target: Target): Promise<boolean> {
  const stack = await target.stack();
  if (standingOf(stack.status) !== "ready") return false;
  return (await readDeployedApps(target))?.includes(appId) === true;
}

async function deployApp(appId: string, ground: WorkContext, wish: DeployWish): Promise<SetUp["deployment"]> {
  const { target } = ground;
  if (target.kind === "local") {
    throw new CliError(
      "partlyDone",
      "NOT_SERVED",
      `${target.title} does not serve the app ${appId} yet: it was started before.`,
      "The app is now in config/apps.yml: restart the local stack (npm start), and run this again.",
    );
  }
  const { outcome } = await deployChecked(ground, wish);
  return outcome === "rehearsed" ? "unchanged" : outcome;
}

export function settingsWish(appId: string): PlanWish {
  return { appIds: [appId], only: [], switches: { mayDelete: false, writesUnknown: false } };
}

/** Returns the number of changes. */
async function makeSettings(appId: string, ground: WorkContext): Promise<number> {
  const wish = settingsWish(appId);
  const made = await makePlans(wish, ground);
  if (!made.some(({ plan }) => plan.steps.some(isToDo))) return 0;
  const applied = await applyPlans(wish, made, ground, `the app ${appId}`);
  const outcomes = applied.flatMap((app) => app.outcomes);
  const failed = outcomes.filter((outcome) => !isDone(outcome));
  if (failed.length === 0) return outcomes.length;
  const told = failed.map(({ kind, id, outcome, cause = outcome }) => `${kind} ${id}: ${cause}`);
  throw new CliError(
    "partlyDone",
    "NOT_AS_DECLARED",
    `The app ${appId} only partly matches config/app/: ${told.join("; ")}`,
    "Fix the causes, and run this again.",
  );
}

/** The webhook that the deployed triggers need. */
export async function readWanted(appId: string, { target, out }: WorkContext, stack: Stack, apps: StageApps) {
  out.progress("asking the deployment what its triggers need");
  const { facts } = await chooseServed(target, appId);
  const { webhookUsername = "", webhookPassword = "" } = (await readAppSecret(apps, appId)).fields;
  const wanted: WantedWebhook = {
    appId,
    stage: target.stage,
    httpUrl: stack.output("HttpApiUrl").replace(/\/$/, ""),
    username: String(webhookUsername),
    password: String(webhookPassword),
    triggers: Object.keys(needsOf(facts, appId)?.webhook ?? {}).toSorted(),
  };
  return { triggersOn: facts.triggers.map(nameTrigger), wanted };
}
