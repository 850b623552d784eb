import * as z from "zod/mini";
import { AwsCallError } from "../../lib/aws/aws-call.ts";
import { applyPlan, isDone } from "../../lib/operate/app-as-code/apply-plan.ts";
import { isToDo } from "../../lib/operate/app-as-code/plan-app.ts";
import { readPendingSince } from "../../lib/operate/doctor/app-secret-state.ts";
import { readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { needsOf } from "../../lib/operate/doctor/doctor-services.ts";
import { type Finding, findingSchema, ok } from "../../lib/operate/doctor/finding.ts";
import { publicUrlOf, webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { makePlans, toPlanReport } from "../app/make-plans.ts";
import { printPlan } from "../app/print-plan.ts";
import { keyQuestion } from "../apps/app-input.ts";
import {
  putWebhookSecret,
  readAppSecret,
  rotationUnderWay,
  takeOutWebhookFields,
} from "../apps/app-secret.ts";
import { readDeployedApps } from "../apps/deployed-apps.ts";
import { singleSecretApps } from "../apps/single-secrets.ts";
import { listedApps, openApps, type StageApps } from "../apps/stage-apps.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import type { CommandContext, WorkContext } from "../command.ts";
import { checkBefore } from "../deploy/check-before.ts";
import { openDeployGround } from "../deploy/deploy-ground.ts";
import { deployService } from "../deploy/deploy-service.ts";
import { type AddressList, deployedAddresses } from "../deploy/deployed-addresses.ts";
import { previousMinutesOutput } from "../doctor/doctor-of-target.ts";
import { examineTarget } from "../doctor/examine-target.ts";
import type { CliEdges } from "../edges.ts";
import { readSecret } from "../read-secret.ts";
import { standingOf } from "../stack/judge-status.ts";
import { openDeployedManagement } from "../target/open-management.ts";
import type { Stack } from "../target/stack.ts";
import type { Target } from "../target/target.ts";
import { moveWebhooks, putAddress, writeAddresses } from "./addresses.ts";
import { chooseApp, putAppAccess } from "./app-access.ts";
import { openManagement, parseManagementPair } from "./management.ts";
import { putAppWebhook } from "./put-webhook.ts";

export interface SetupWish {
  readonly app: string | undefined;
  readonly appRegion: string | undefined;
  readonly apiKeyStdin: boolean;
  readonly managementStdin: boolean;
  readonly byHand: boolean;
  readonly allowLoss: boolean;
  readonly newAddress: boolean;
  readonly skipChecks: boolean;
}

export const setUpSchema = z.strictObject({
  appId: z.string(),
  secret: z.enum(["made", "restored", "completed", "unchanged", "region changed"]),
  list: z.enum(["added", "unchanged"]),
  deployment: z.enum(["created", "updated", "unchanged", "serves it already"]),
  /** Settings of config/app/ created or changed. */
  settings: z.number(),
  /** With the values for entering it by hand. */
  webhook: z.strictObject({
    outcome: z.enum(["created", "brought up to date", "by hand"]),
    id: z.optional(z.string()),
    /** What differed, if known, and was changed. */
    changed: z.readonly(z.array(z.string())),
    url: z.string(),
    username: z.string(),
    triggers: z.readonly(z.array(z.string())),
  }),
  /** Still served, until a later run; "" stands for the plain paths. */
  oldAddresses: z.readonly(z.array(z.string())),
  triggersOn: z.readonly(z.array(z.string())),
  findings: z.readonly(z.array(findingSchema)),
});

export type SetUp = z.infer<typeof setUpSchema>;

/**
 * Detects finished steps: a later run continues where an earlier one ended.
 * @throws CliError
 */
export async function setUpApp(
  ground: WorkContext & Pick<CommandContext<never, never>, "record">,
  wish: SetupWish,
): Promise<SetUp> {
  const { target, edges, out } = ground;
  const stdin = await readStdin(wish, edges);
  const appId = await chooseApp(wish.app, ground);
  const apps = await openApps(target, edges);
  await refuseWhileRotating(appId, target, apps.secretPrefix);
  if (target.kind === "local" && wish.newAddress) {
    throw wrongUse("The local stack keeps its addresses.", "Name a deployed stage: --stage <name>.");
  }
  const isStage = target.kind === "stage";
  const isServed = await serves(appId, target, apps.isDeployed);
  if (isStage && !isServed && !wish.skipChecks) await checkBefore(ground, { isRehearsal: false });
  await makeWebhookSecrets(ground, apps);
  const access = await putAppAccess(appId, { ...wish, stdin: stdin.apiKey }, ground, apps);
  out.note(`✓ the platform accepts the key; secret ${apps.secretIdOf(appId)}: ${access.secret}`);

  const before = isStage && apps.isDeployed ? deployedAddresses(await target.stack()) : undefined;
  const addresses = isStage ? await putAddress(ground, before, wish.newAddress) : [];
  const isCurrent = !isStage || before?.join() === addresses.join();
  const deployment = await deployIfNeeded(appId, ground, wish.allowLoss, isServed && isCurrent);
  out.note(`✓ the functions serve the app (deployment: ${deployment})`);
  const stack = await target.rereadStack();
  if (readsWebhookSecrets(stack)) {
    await ground.record();
    for (const listed of await listedApps(apps)) await takeOutWebhookFields(apps, listed);
  }

  const management = wish.byHand ? undefined : await openManagement(appId, stdin.management, ground, apps);
  const settings = await makeSettings(appId, ground);
  out.note(`✓ the app matches config/app/ (${settings} changed)`);

  const { triggersOn, needed } = await readNeeds(appId, ground, stack);
  const secret = await readAppSecret(apps, appId);
  const fields = "fields" in secret ? secret.fields : {};
  const username = String(fields.webhookUsername ?? "");
  const wanted = {
    ...{ appId, stage: target.stage, username, triggers: needed },
    httpUrl: stack.output("HttpApiUrl").replace(/\/$/, ""),
    password: String(fields.webhookPassword ?? ""),
  };
  const facts = { url: webhookUrlOf(wanted.httpUrl, appId), username, triggers: needed };
  const put = management === undefined ? undefined : await putAppWebhook(management, wanted, ground);
  if (management !== undefined && addresses.length > 1) {
    const legacy = await openDeployedManagement(target, "legacy");
    const served = (await readDeployedApps(target)) ?? [appId];
    await moveWebhooks([management, ...(legacy === undefined ? [] : [legacy])], served, wanted.httpUrl);
  }
  const look = { appIds: [appId], sendsCanaries: false, patienceMs: 0 };
  const found = await examineTarget(ground, look);
  // The platform may not say what was just written (docs/internals/platform/management.md#webhooks).
  const findings =
    put === undefined
      ? found
      : found.map((one) => (isUnsaid(one) ? { check: one.check, appId, ...ok(wroteRetries(put.id)) } : one));
  const isProven = !findings.some(({ check, status }) => status === "wrong" && proofs.has(check));
  // What is entered by hand is entered after the run that deploys the new address.
  const canEnd = isProven && (management !== undefined || isCurrent);
  const oldAddresses = addresses.slice(1);
  if (canEnd && oldAddresses.length > 0) await endOldAddresses(ground, addresses, wanted.httpUrl, wish);
  const webhook = { ...facts, changed: [], outcome: "by hand" as const, ...put };
  return {
    ...{ appId, ...access, deployment, settings, webhook, triggersOn, findings },
    oldAddresses: canEnd ? [] : oldAddresses,
  };
}

const proofs: ReadonlySet<string> = new Set(["webhook", "receiver"]);

/** @throws CliError */
async function endOldAddresses(
  ground: WorkContext,
  [current = ""]: AddressList,
  httpUrl: string,
  { allowLoss }: SetupWish,
): Promise<void> {
  await ground.confirm(
    `End the earlier addresses of ${ground.target.title}? From then on they are answered 404. ` +
      `This command cannot change these callers; moderation uses ${httpUrl}/moderation/<appId>, ` +
      `logins and your own functions ${publicUrlOf(httpUrl)}/… Do they use the new addresses?`,
  );
  await writeAddresses(ground, [current]);
  await deployService(openDeployGround(ground, ""), { allowLoss, rehearse: false, skipChecks: true });
  ground.out.note("✓ the earlier addresses are no longer served");
}

function isUnsaid({ check, status }: Finding): boolean {
  return check === "retries" && status === "unknown";
}

function wroteRetries(webhookId: string): string {
  return `Deliveries that fail are tried again: this switched it on for the webhook ${webhookId}.`;
}

async function refuseWhileRotating(appId: string, { callAws }: Target, secretPrefix: string): Promise<void> {
  const since = await readPendingSince(appId, { callAws, secretPrefix }).catch((error: unknown) => {
    // The secret is being deleted.
    if (error instanceof AwsCallError && error.code === "InvalidRequestException") return undefined;
    throw error;
  });
  if (since === undefined) return;
  throw rotationUnderWay(appId);
}

async function readStdin(
  { apiKeyStdin, managementStdin }: SetupWish,
  edges: CliEdges,
): Promise<{
  readonly apiKey: string;
  readonly management: ReturnType<typeof parseManagementPair> | undefined;
}> {
  if (!apiKeyStdin && !managementStdin) return { apiKey: "", management: undefined };
  if (edges.isStdinTerminal) {
    return {
      apiKey: apiKeyStdin ? await readSecret(edges, keyQuestion) : "",
      management: managementStdin
        ? parseManagementPair(
            JSON.stringify({
              key: (await readSecret(edges, "Management API key")).trim(),
              secret: (await readSecret(edges, "Management API secret")).trim(),
            }),
            "What was typed",
          )
        : undefined,
    };
  }
  const text = await edges.readStdin();
  const [first = "", ...others] = text.split("\n");
  const management = apiKeyStdin ? others.join("\n") : text;
  return {
    apiKey: apiKeyStdin ? (managementStdin ? first : text) : "",
    management: managementStdin ? parseManagementPair(management, "Standard input") : undefined,
  };
}

/** Before a deployment reads them: an older version keeps webhook credentials in the apps' secrets. */
async function makeWebhookSecrets({ target, confirm }: WorkContext, apps: StageApps): Promise<void> {
  const single = await singleSecretApps(apps);
  if (single.length === 0) return;
  await confirm(
    `Make webhook secrets for ${single.join(", ")} in ${target.title}, with the credentials in the apps' secrets?`,
  );
  for (const appId of single) await putWebhookSecret(apps, appId);
}

/** Versions without this output read webhook credentials from the apps' secrets. */
function readsWebhookSecrets({ outputs }: Stack): boolean {
  return previousMinutesOutput in outputs;
}

/** It is unknown what a broken stack serves. */
async function serves(appId: string, target: Target, isDeployed: boolean): Promise<boolean> {
  const isReady = isDeployed && standingOf((await target.stack()).status) === "ready";
  const isListed = isReady && (await readDeployedApps(target))?.includes(appId) === true;
  return isListed && readsWebhookSecrets(await target.stack());
}

async function deployIfNeeded(
  appId: string,
  ground: WorkContext,
  allowLoss: boolean,
  isServed: boolean,
): Promise<SetUp["deployment"]> {
  const { target } = ground;
  if (isServed) return "serves it already";
  if (target.kind === "local") {
    throw new CliError(
      "partlyDone",
      "NOT_SERVED",
      `${target.title} does not serve the app ${appId} yet: it was started before.`,
      "The app is now in config/apps.yml: restart the local stack (npm start), and run this again.",
    );
  }
  const wish = { allowLoss, rehearse: false, skipChecks: true };
  const { outcome } = await deployService(openDeployGround(ground, ""), wish);
  return outcome === "rehearsed" ? "unchanged" : outcome;
}

/** Returns the number of changes. */
async function makeSettings(appId: string, ground: WorkContext): Promise<number> {
  const { out, confirm } = ground;
  const wish = { appIds: [appId], only: [], switches: { mayDelete: false, writesUnknown: false } };
  const made = await makePlans(wish, ground);
  const toDo = made.flatMap(({ plan }) => plan.steps.filter(isToDo)).length;
  if (toDo === 0) return 0;
  printPlan(toPlanReport(wish, made, ground), out);
  await confirm(`Make ${toDo} change${toDo === 1 ? "" : "s"} in the app ${appId}?`);
  for (const { plan, app } of made) {
    const outcomes = await applyPlan(plan, app.apis, {
      onStep: ({ kind, id, action }) => out.progress(`${action} ${kind.name} ${id}`),
    });
    const failed = outcomes.filter((outcome) => !isDone(outcome));
    if (failed.length === 0) continue;
    const told = failed
      .map((one) => `${one.kind} ${one.id}: ${"cause" in one ? one.cause : one.outcome}`)
      .join("; ");
    throw new CliError(
      "partlyDone",
      "NOT_AS_DECLARED",
      `The app ${appId} only partly matches config/app/: ${told}`,
      "Fix the causes, and run this again.",
    );
  }
  return toDo;
}

async function readNeeds(appId: string, { target, out }: WorkContext, stack: Stack) {
  out.progress("asking the deployment what its triggers need");
  const facts = await readDeployedFacts(target.callAws, stack.physicalId("DoctorLambdaFunction"));
  return {
    triggersOn: facts.triggers.map(({ name, isShadowed }) => (isShadowed ? `${name} (shadow)` : name)),
    needed: Object.keys(needsOf(facts, appId)?.webhook ?? {}).toSorted(),
  };
}
