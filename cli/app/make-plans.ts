import { readConfigLayers } from "../../build/config-layers.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import { readAppsOf } from "../../build/served-apps.ts";
import { readStages } from "../../build/stages.ts";
import { isWebhookField } from "../../lib/aws/secrets/parse-secret.ts";
import { createSignedReadSecret, webhookSecretIdOf } from "../../lib/aws/secrets/read-secret-value.ts";
import { countOf } from "../../lib/base/count-of.ts";
import { isRecord } from "../../lib/base/json.ts";
import { composeOn } from "../../lib/chat/compose.ts";
import { applyPlan, whyBlocked } from "../../lib/operate/app-as-code/apply-plan.ts";
import type { Subject } from "../../lib/operate/app-as-code/define-subject.ts";
import { declareApp, isToDo, planApp } from "../../lib/operate/app-as-code/plan-app.ts";
import type { PlanSwitches } from "../../lib/operate/app-as-code/resource.ts";
import { findSecrets } from "../../lib/operate/app-as-code/secret-reference.ts";
import { subjects } from "../../lib/operate/app-as-code/subjects.ts";
import { blockWhileRotating, openWebhookSecret } from "../../lib/operate/app-as-code/webhook-secret.ts";
import { needsOf } from "../../lib/operate/doctor/doctor-services.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { notThere, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Output } from "../output.ts";
import { openApp } from "../see/open-app.ts";
import { askFacts } from "../target/served-apps.ts";
import { openDeployedManagement, type Target } from "../target/target.ts";
import { isAsDeclared, isPartlyCompared, printPlan, toAppReport } from "./plan-report.ts";

export interface PlanWish {
  /** Empty: all apps of the stage. */
  readonly appIds: readonly string[];
  /** Empty: all files. */
  readonly only: readonly string[];
  readonly switches: PlanSwitches;
}

export type MadePlan = Awaited<ReturnType<typeof makePlans>>[number];

export async function makePlans(wish: PlanWish, context: WorkContext) {
  const { target, edges, out } = context;
  const chosen = chooseSubjects(wish.only);
  const appIds = await chooseApps(edges.projectFolder, target.stage, wish.appIds);
  const contentOf = await readDeclaredFiles(edges.projectFolder, target.stage);
  const asksForTriggers = (appId: string) =>
    chosen.some(({ name }) => name === "webhooks") && leavesTriggers(contentOf(appId, "webhooks"));
  const needsTriggers = appIds.some(asksForTriggers);
  const neededTriggers = needsTriggers ? await readNeededTriggers(target) : () => undefined;
  const openEach = await createOpenApp(context, neededTriggers);
  const made = [];
  for (const [index, appId] of appIds.entries()) {
    edges.signal.throwIfAborted();
    out.progress(`compares app ${appId} (${index + 1} of ${appIds.length})`);
    const app = await openEach(appId);
    const { apis, secretOf, facts, digestKey } = app;
    if (asksForTriggers(appId) && facts.neededTriggers === undefined) {
      throw notThere(
        "TRIGGERS_UNKNOWN",
        `The deployment does not say which triggers the app ${appId} needs, and config/app/webhooks.yml leaves it to that.`,
        "Deploy first, or plan the other files: --only roles, …",
      );
    }
    const plan = await planApp({
      kinds: chosen.flatMap(({ kinds }) => kinds),
      declared: declareApp(chosen, (subject) => contentOf(appId, subject), facts),
      switches: wish.switches,
      apis,
      secretOf,
      digestKey,
    });
    made.push({ plan, app });
  }
  return made;
}

/** Omitted triggers mean `needed`. */
function leavesTriggers(content: unknown) {
  const webhooks: unknown = isRecord(content) ? content.webhooks : undefined;
  return (
    Array.isArray(webhooks) &&
    webhooks.some((webhook) => isRecord(webhook) && (webhook.triggers ?? "needed") === "needed")
  );
}

/** Shows the plans and asks, unless there is nothing to do. Returns the number of changes. */
export async function agreeToPlans(
  wish: PlanWish,
  made: readonly MadePlan[],
  context: WorkContext,
  what: string,
): Promise<number> {
  const toDo = made.flatMap(({ plan }) => plan.steps.filter(isToDo)).length;
  if (toDo === 0) return 0;
  printPlan(toPlanReport(wish, made, context), context.out);
  await context.confirm(`Make ${countOf(toDo, "change")} in ${what}?`);
  return toDo;
}

export async function applyPlans(made: readonly MadePlan[], out: Output, onStop?: () => void) {
  const applied = [];
  for (const { plan: planned, app } of made) {
    const plan = await blockWhileRotating(planned, app.isRotating);
    const outcomes = await applyPlan(plan, app.apis, {
      onStop,
      onStep: ({ kind, id, action }, done, all) =>
        out.progress(`app ${plan.appId}: ${done + 1} of ${all}: ${action} ${kind.name} ${id}`),
    });
    const lacking = plan.steps.filter(isPartlyCompared).map((step) => ({
      ...({ kind: step.kind.name, id: step.id, outcome: "blocked", cause: whyBlocked(step) } as const),
    }));
    applied.push({
      appId: plan.appId,
      unchanged: plan.steps.filter(isAsDeclared).length,
      outcomes: [...outcomes, ...lacking],
    });
  }
  return applied;
}

export type PlanReport = ReturnType<typeof toPlanReport>;

/** Printed by `app apply --dry-run --json`, and written by `--out`. */
export function toPlanReport(
  { only, switches }: PlanWish,
  made: readonly MadePlan[],
  { target, edges }: WorkContext,
) {
  return {
    version: 1,
    target: targetOf(target),
    madeAt: new Date(edges.now()).toISOString(),
    only: [...only],
    switches,
    /** Whether a needed change is a failure (`--check`). */
    isChecked: false,
    apps: made.map(({ plan }) => toAppReport(plan)),
  };
}

export function targetOf({ kind, stage, region, accountId }: Target) {
  return { kind, stage, region, account: accountId };
}

type NeededTriggersOf = (appId: string) => readonly string[] | undefined;

export async function readNeededTriggers(target: Target): Promise<NeededTriggersOf> {
  const facts = await askFacts(target);
  return (appId) => {
    const ofApp = needsOf(facts, appId);
    return ofApp && Object.keys(ofApp.webhook).toSorted();
  };
}

export async function createOpenApp({ target, edges }: WorkContext, neededTriggers: NeededTriggersOf) {
  const { output } = await target.stack();
  const management = await openDeployedManagement(target);
  const { now, sleep, signal } = edges;
  return async (appId: string) => {
    const { secret, connection } = await openApp(target, appId, { now, sleep });
    const chat = composeOn(connection, {});
    const webhook = openWebhookSecret(
      createSignedReadSecret(target.callAws, now),
      webhookSecretIdOf(output("SecretPrefix"), appId),
    );
    return {
      appId,
      apis: { appId, chat, management, request: { signal } },
      secretOf: async (name: string) =>
        (isWebhookField(name) ? await webhook.fields() : secret).optionalText(name),
      isRotating: webhook.isRotating,
      facts: {
        appId,
        webhookUrl: webhookUrlOf(output("HttpApiUrl"), appId),
        neededTriggers: neededTriggers(appId),
        ...findSecrets(secret.all),
      },
      digestKey: secret.text("apiKey"),
    };
  };
}

export type ContentOf = (appId: string, subject: string) => unknown;

export async function readDeclaredFiles(projectFolder: string, stage: string): Promise<ContentOf> {
  const files = await Promise.all(
    subjects.map(async ({ name }) => {
      const file = `app/${name}.yml`;
      return [name, settingsOf(file, await readConfigLayers(projectFolder, file, stage))] as const;
    }),
  );
  const byName = new Map(files);
  return (appId, subject) => byName.get(subject)?.apps[appId] ?? byName.get(subject)?.default;
}

export async function chooseApps(projectFolder: string, stage: string, named: readonly string[]) {
  const stages = [...(await readStages(projectFolder)).keys()];
  const served = await readAppsOf(projectFolder, stage, stages);
  const strange = named.find((appId) => !served.includes(appId));
  if (strange !== undefined) {
    throw wrongUse(
      `config/apps.yml names no app "${strange}" for the stage ${stage}.`,
      served.length === 0 ? "It lists no app." : `It names ${served.join(", ")}.`,
    );
  }
  if (served.length > 0) return named.length === 0 ? served : [...new Set(named)];
  throw notThere(
    "NO_APP",
    `The stage ${stage} serves no app.`,
    "Add one: npx cometchat-functions setup --app <appId>",
  );
}

export function chooseSubjects(named: readonly string[]): readonly Subject[] {
  const strange = named.find((name) => !subjects.some((subject) => subject.name === name));
  if (strange !== undefined) {
    throw wrongUse(
      `There is no file config/app/${strange}.yml.`,
      `--only takes ${subjects.map(({ name }) => name).join(", ")}.`,
    );
  }
  return subjects.filter(({ name }) => named.length === 0 || named.includes(name));
}

export function declaresAnything(content: unknown): boolean {
  return isRecord(content) && Object.values(content).some((value) => Object.keys(Object(value)).length > 0);
}
