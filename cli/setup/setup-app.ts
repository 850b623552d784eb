import { AwsCallError } from "../../lib/aws/aws-call.ts";
import type { ManagementClient } from "../../lib/chat/management/management-client.ts";
import { isDone } from "../../lib/operate/app-as-code/apply-plan.ts";
import { readPendingSince } from "../../lib/operate/doctor/app-secret-state.ts";
import { publicUrlOf, webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { agreeToPlans, applyPlans, makePlans } from "../app/make-plans.ts";
import { noteDeployedFiles } from "../app/note-deployed-files.ts";
import { openApps, readDeployedApps, type StageApps } from "../apps/stage-apps.ts";
import { partlyDone, refused, wrongUse } from "../cli-error.ts";
import { flag, type OptionValues, text, type WorkContext } from "../command.ts";
import { type AddressList, checkBefore, deployedAddresses } from "../deploy/check-before.ts";
import { deployService } from "../deploy/deploy-service.ts";
import { examineTarget } from "../doctor/examine-target.ts";
import { printFindings } from "../doctor/print-findings.ts";
import { standingOf, type Target, unlessNotDeployed } from "../target/target.ts";
import {
  askForPair,
  chooseApp,
  type ManagementPair,
  openManagement,
  putAppAccess,
  readStdin,
  refuseUnknownApp,
} from "./app-access.ts";
import { isMoved, moveAll } from "./move-webhooks.ts";
import {
  putAddress,
  putAppWebhook,
  readWanted,
  registerQuestion,
  type TakeBack,
  writeAddresses,
} from "./put-webhook.ts";

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
  endOldAddress: flag(
    "without management credentials: end the earlier addresses, after you entered the new one",
  ),
  allowLoss: flag("deploy even if something is destroyed that holds data, or the HTTP API"),
  skipChecks: flag("deploy without checking rights, region and limits before"),
};

export type SetupWish = OptionValues<typeof setupOptions>;

/** Detects finished steps. A rehearsal shows what each would ask and change, as far as it is known. */
export async function setUpApp(given: WorkContext, wish: SetupWish) {
  const { target, out, isDryRun } = given;
  const stdin = await readStdin(wish, given.edges);
  const steps: string[] = [];
  const context = isDryRun ? rehearsing(given, steps) : withQuestions(given);
  const appId = await chooseApp(wish.app, context);
  const apps = await openApps(target, context.edges);
  await refuseWhileRotating(appId, target, apps.secretPrefix);
  const isStage = target.kind === "stage";
  if (!isStage && wish.newAddress) {
    throw wrongUse("The local stack keeps its addresses.", "Name a deployed stage: --stage <name>.");
  }
  if (!isStage) await refuseUnknownApp(appId, target);
  const isServed = apps.isDeployed && (await serves(appId, target));
  if (isStage && !isServed && !wish.skipChecks) await checkBefore(context, false);
  const access = await putAppAccess(appId, { ...wish, apiKey: stdin.apiKey }, context, apps);
  const say = (done: string) => isDryRun || out.note(`✓ ${done}`);
  say(`the platform accepts the key; secret ${apps.secretIdOf(appId)}: ${access?.secret}`);

  const before = isStage && apps.isDeployed ? deployedAddresses(await target.stack()) : undefined;
  const address = isStage ? await putAddress(context, before, wish.newAddress) : undefined;
  const addresses = address?.list ?? [];
  const isCurrent = !isStage || before?.join() === addresses.join();
  const isDeployed = isServed && isCurrent;
  const deployment = isDeployed
    ? "serves it already"
    : await deployApp(appId, context, wish, address?.takeBack);
  say(`the functions serve the app (deployment: ${deployment})`);
  const opened: Opened = { appId, apps, addresses, isCurrent, isDeployed, management: stdin.management };
  if (!isDryRun && access !== undefined)
    return { ...access, deployment, ...(await connectApp(opened, access.secret === "made", context, wish)) };
  await rehearseConnection(opened, access !== undefined, isServed, context, wish);
  const numbered = [...steps, "Check the result, as doctor does."].map(
    (step, index) => `${index + 1}. ${step}`,
  );
  return void (await given.confirm(numbered.join("\n")));
}

interface Opened {
  readonly appId: string;
  readonly apps: StageApps;
  readonly addresses: AddressList;
  readonly isCurrent: boolean;
  readonly isDeployed: boolean;
  readonly management: ManagementPair | undefined;
}

function withQuestions(context: WorkContext): WorkContext {
  const { edges, out } = context;
  return { ...context, edges: { ...edges, ask: out.isForReading ? edges.ask : undefined } };
}

/** Notes questions, and agrees to nothing: each step then reads `isDryRun`. */
function rehearsing(context: WorkContext, steps: string[]): WorkContext {
  const note = async <Answer>(question: string, answer: Answer) => {
    steps.push(`Ask: ${question}`);
    return answer;
  };
  const ask = {
    confirm: (question: string) => note(question, false),
    text: (question: string, fallback = "the-new-app") => note(question, fallback),
    password: (question: string) => note(question, ""),
  };
  const confirm = async (question: string) => void steps.push(question);
  return { ...context, confirm, edges: { ...context.edges, ask } };
}

async function rehearseConnection(
  { appId, apps, addresses, management: typed }: Opened,
  isAppKnown: boolean,
  isServed: boolean,
  context: WorkContext,
  { byHand, endOldAddress }: SetupWish,
) {
  const { target, confirm } = context;
  const stack = await unlessNotDeployed(target.stack());
  let management: ManagementClient | undefined;
  if (!byHand && stack === undefined) await askForPair(context);
  else if (!byHand) management = await openManagement(appId, typed, context, apps);
  const isReady = stack !== undefined && isAppKnown;
  if (isReady) await makeSettings(appId, context);
  else await confirm(`Make the app ${appId} match config/app/.`);
  if (management !== undefined && isMoved(context, addresses))
    await confirm(
      "Change webhooks at an earlier address or the HTTP API's own host, of all apps, if there are any.",
    );
  if (byHand) await confirm("Show what to enter in the platform's dashboard.");
  else if (management === undefined || !isReady || !isServed) await confirm(registerQuestion(appId));
  else await putAppWebhook(management, (await readWanted(appId, context, stack, apps)).wanted, context);
  if (addresses.length < 2 || (byHand && !endOldAddress)) return;
  const unproven = byHand && stack !== undefined ? await servedWith(appId, target) : [];
  const httpUrl = stack?.output("HttpApiUrl") ?? "<the address>";
  await confirm(endQuestion(target, httpUrl, unproven));
}

async function connectApp(
  { appId, apps, addresses, isCurrent, isDeployed, management: typed }: Opened,
  isNew: boolean,
  context: WorkContext,
  wish: SetupWish,
) {
  const { target, out } = context;
  const stack = await target.rereadStack();
  const management = wish.byHand ? undefined : await openManagement(appId, typed, context, apps);
  const { changed: settings, failure } = await makeSettings(appId, context);
  out.note(failure?.message ?? `✓ the app matches config/app/ (${settings} changed)`);
  if (settings > 0 && isDeployed) await noteDeployedFiles(context);

  const { triggersOn, wanted } = await readWanted(appId, context, stack, apps);
  const { httpUrl, username, triggers } = wanted;
  if (management !== undefined && isMoved(context, addresses))
    await moveAll(appId, apps, management, stack, context);
  const { refusal, ...put } =
    (management && (await putAppWebhook(management, { ...wanted, isNew }, context))) ?? {};
  const findings = await examineTarget(context, [appId]);
  const isProven = !findings.some(
    ({ check, status }) => status === "wrong" && (check === "webhook" || check === "receiver"),
  );
  // By hand, no check reads webhooks, and the operator enters values after the run that deploys the address.
  const canEnd = isProven && (management !== undefined || (isCurrent && wish.endOldAddress));
  const oldAddresses = addresses.slice(1);
  const servedApps = await servedWith(appId, target);
  if (canEnd && oldAddresses.length > 0) {
    await context.confirm(endQuestion(target, httpUrl, management === undefined ? servedApps : []));
    await deployChecked(context, wish, await writeAddresses(context, addresses.slice(0, 1)));
    out.note("✓ the earlier addresses are no longer served");
  }
  // By hand, the result says what to enter, and has the same exit code.
  const missing = refusal ?? (management && failure);
  if (missing !== undefined) {
    printFindings(findings, out);
    throw missing;
  }
  return {
    appId,
    settings,
    webhook: {
      username,
      triggers,
      url: webhookUrlOf(httpUrl, appId),
      changed: [],
      outcome: "by hand" as const,
      ...put,
    },
    triggersOn,
    findings,
    /** Served until a later run; "" stands for the plain paths. */
    oldAddresses: canEnd ? [] : oldAddresses,
    servedApps,
  };
}

async function servedWith(appId: string, target: Target) {
  return (await readDeployedApps(target)) ?? [appId];
}

/** @param unproven apps whose webhooks the operator moves */
function endQuestion({ title }: Target, httpUrl: string, unproven: readonly string[]) {
  const webhooks = unproven.map((appId) => `the webhook of ${appId} uses ${webhookUrlOf(httpUrl, appId)}, `);
  return `End the earlier addresses of ${title}? From then on they are answered 404. This command cannot change these callers; ${webhooks.join("")}moderation uses ${httpUrl}/moderation/<appId>, logins and your own functions ${publicUrlOf(httpUrl)}/… Do they use the new addresses?`;
}

/** Deploys with checks of rights, region and limits. Reverts an edit that was not deployed. */
async function deployChecked(context: WorkContext, { allowLoss }: SetupWish, takeBack?: TakeBack) {
  let hasBegun = false;
  const onBegin = () => {
    hasBegun = true;
  };
  try {
    return await deployService(context, { allowLoss, skipChecks: true, onBegin });
  } catch (error) {
    if (!hasBegun) await takeBack?.();
    throw error;
  }
}

/** The webhook may already have the pending password, and must keep it. */
async function refuseWhileRotating(appId: string, { callAws }: Target, secretPrefix: string) {
  const since = await readPendingSince(appId, { callAws, secretPrefix }).catch((error: unknown) => {
    // Secrets Manager answers so while deleting the secret.
    if (error instanceof AwsCallError && error.code === "InvalidRequestException") return undefined;
    throw error;
  });
  if (since === undefined) return;
  throw refused(
    "ROTATION_UNDER_WAY",
    `A rotation of the app ${appId} is in progress. Nothing was changed.`,
    `See how to end it: npx cometchat-functions rotate finish --dry-run --app ${appId}`,
  );
}

/** Returns undefined for a broken stack, whose apps are unknown. */
async function serves(appId: string, target: Target) {
  const stack = await target.stack();
  if (standingOf(stack.status) !== "ready") return false;
  return (await readDeployedApps(target))?.includes(appId) === true;
}

async function deployApp(appId: string, context: WorkContext, wish: SetupWish, takeBack?: TakeBack) {
  const { target, confirm, isDryRun } = context;
  const isLocal = target.kind === "local";
  if (isDryRun) {
    await confirm(
      isLocal
        ? "End with a request to restart the local stack, and to repeat this."
        : `Deploy this to ${target.title}?`,
    );
    return "unchanged";
  }
  if (isLocal) {
    throw partlyDone(
      "NOT_SERVED",
      `${target.title} does not serve the app ${appId} yet: it was started before.`,
      "The app is now in config/apps.yml. End the local stack, start it with the same options, and with `--data <folder>` if it had none: `npm start -- --data <folder>`. Then run this again: it asks for the key again if there was no folder.",
    );
  }
  return (await deployChecked(context, wish, takeBack)).outcome;
}

/**
 * @returns `failure`, to be thrown at the end: events must not wait for a setting that the platform refuses
 * @throws CliError if the user declines, or if the platform does not answer or refuses the key
 */
async function makeSettings(appId: string, context: WorkContext) {
  const wish = { appIds: [appId], only: [], switches: { mayDelete: false, writesUnknown: false } };
  const made = await makePlans(wish, context);
  await agreeToPlans(wish, made, context, `the app ${appId}`);
  if (context.isDryRun) return { changed: 0 };
  let isStopped = false;
  const applied = await applyPlans(made, context.out, () => {
    isStopped = true;
  });
  context.edges.signal.throwIfAborted();
  const outcomes = applied.flatMap((app) => app.outcomes);
  const failed = outcomes.filter((outcome) => !isDone(outcome));
  const changed = outcomes.length - failed.length;
  if (failed.length === 0) return { changed };
  const failures = failed.map((one) => `${one.kind} ${one.id}: ${"cause" in one ? one.cause : one.outcome}`);
  const failure = partlyDone(
    "NOT_AS_DECLARED",
    `The app ${appId} only partly matches config/app/: ${failures.join("; ")}`,
    "Fix the causes, and run this again.",
  );
  if (isStopped) throw failure;
  return { changed, failure };
}
