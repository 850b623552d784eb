import type { ManagementClient } from "../../lib/chat/management/management-client.ts";
import { isToDo } from "../../lib/operate/app-as-code/plan-app.ts";
import { makePlans, settingsQuestion, toPlanReport } from "../app/make-plans.ts";
import { printPlan } from "../app/print-plan.ts";
import { readAppSecret } from "../apps/app-secret.ts";
import { deployedAddresses } from "../deploy/deployed-addresses.ts";
import { unlessNotDeployed } from "../target/stack.ts";
import { chooseAddresses } from "./addresses.ts";
import {
  appQuestion,
  askedApp,
  findAppAccess,
  keyQuestion,
  regionQuestion,
  serveQuestion,
} from "./app-access.ts";
import { findManagement, managementQuestion } from "./management.ts";
import { findAppWebhook, registerQuestion } from "./put-webhook.ts";
import {
  endQuestion,
  openSetup,
  readWanted,
  type SetupContext,
  type SetupWish,
  settingsWish,
} from "./setup-app.ts";

type Opened = Awaited<ReturnType<typeof openSetup>>;

/**
 * Returns what each step of `setUpApp` would ask and change; prints the plan of the settings. What an earlier
 * step makes is not there: steps after it say less. Changes nothing.
 * @throws CliError where a setup would end before its first change
 */
export async function rehearseSetup(ground: SetupContext, wish: SetupWish): Promise<string> {
  const { target } = ground;
  const opened = await openSetup(ground, wish);
  const { appId, apps, isStage, isServed } = opened;
  const steps: string[] = [];
  const add = (...step: readonly (string | undefined)[]) =>
    steps.push(...step.filter((one) => one !== undefined));

  if (appId === askedApp) add(`Ask: ${appQuestion}`);
  const access = await rehearseAccess(ground, wish, opened);
  add(...access);

  const stack = await unlessNotDeployed(target.stack());
  const before = stack && deployedAddresses(stack);
  const chosen = isStage ? await chooseAddresses(ground, before, wish.newAddress) : undefined;
  if (chosen?.isListed === false) add("List a new address in config/stages.yml.");
  const isCurrent = chosen === undefined || before?.join() === chosen.list.join();
  if (!isStage && !isServed) add("End with a request to restart the local stack, and to repeat this.");
  else if (!isServed || !isCurrent) add(`Deploy this to ${target.title}?`);

  const isReady = stack !== undefined && access.length === 0;
  let management: ManagementClient | undefined;
  if (!wish.byHand) {
    const ask = async () => void add(`Ask: ${managementQuestion}`);
    const found = stack && (await findManagement(appId, opened.stdin.management, ground, apps, ask));
    management = found?.client;
    add(stack === undefined ? `Ask: ${managementQuestion}` : found?.question);
  }
  add(isReady ? await rehearseSettings(appId, ground) : `Make the app ${appId} match config/app/.`);
  if (wish.byHand) add("Show what to enter in the platform's dashboard.");
  else if (management === undefined || !isReady || !isServed) add(registerQuestion(appId));
  else
    add((await findAppWebhook(management, (await readWanted(appId, ground, stack, apps)).wanted)).question);
  if (chosen !== undefined && chosen.list.length > 1) {
    if (management !== undefined) add("Change the platform's webhooks to the new address.");
    add(endQuestion(target, stack?.output("HttpApiUrl").replace(/\/$/, "") ?? "<the address>"));
  }
  return [...steps, "Check the result, as doctor does."]
    .map((step, index) => `${index + 1}. ${step}`)
    .join("\n");
}

/** Empty if the app's secret is complete, and the app is listed. */
async function rehearseAccess(
  ground: SetupContext,
  { appRegion }: SetupWish,
  { appId, apps, stdin: { apiKey } }: Opened,
): Promise<readonly string[]> {
  const { state, access: known } = await readAppSecret(apps, appId);
  const isForeign = state === "of another app";
  const held = isForeign ? {} : known;
  const asked = [
    ...((appRegion ?? held.region) === undefined ? [`Ask: ${regionQuestion}`] : []),
    ...((apiKey ?? held.apiKey) === undefined ? [`Ask: ${keyQuestion}`] : []),
  ];
  if (asked.length > 0) return [...asked, serveQuestion(appId, ground.target, apps, isForeign)];
  const { question } = await findAppAccess(appId, { appRegion, apiKey }, ground, apps, undefined);
  return question === undefined ? [] : [question];
}

async function rehearseSettings(appId: string, ground: SetupContext): Promise<string | undefined> {
  const wish = settingsWish(appId);
  const made = await makePlans(wish, ground);
  const toDo = made.flatMap(({ plan }) => plan.steps.filter(isToDo)).length;
  if (toDo === 0) return undefined;
  printPlan(toPlanReport(wish, made, ground), ground.out);
  return settingsQuestion(toDo, `the app ${appId}`);
}
