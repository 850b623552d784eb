import { countOf } from "../../lib/base/count-of.ts";
import { isRecord } from "../../lib/base/json.ts";
import { applyPlan, type StepOutcome, whyBlocked } from "../../lib/operate/app-as-code/apply-plan.ts";
import { declareApp } from "../../lib/operate/app-as-code/declare-app.ts";
import { type AppPlan, isToDo, planApp } from "../../lib/operate/app-as-code/plan-app.ts";
import type { PlanSwitches } from "../../lib/operate/app-as-code/thing.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";
import { chooseApps, chooseSubjects, readDeclaredFiles } from "./declared-files.ts";
import { createOpenApp, type OpenedApp, readNeededTriggers } from "./open-app.ts";
import { isAsDeclared, isPartlyCompared, type PlanReport, toAppReport } from "./plan-report.ts";
import { printPlan } from "./print-plan.ts";

export interface PlanWish {
  /** Empty: all apps of the stage. */
  readonly appIds: readonly string[];
  /** Empty: all files. */
  readonly only: readonly string[];
  readonly switches: PlanSwitches;
}

export interface MadePlan {
  readonly plan: AppPlan;
  readonly app: OpenedApp;
}

/** Apply also uses it to check a saved plan. */
export async function makePlans(wish: PlanWish, context: WorkContext): Promise<readonly MadePlan[]> {
  const { target, edges, out } = context;
  const chosen = chooseSubjects(wish.only);
  const appIds = await chooseApps(edges.projectFolder, target.stage, wish.appIds);
  const contentOf = await readDeclaredFiles(edges.projectFolder, target.stage);
  const asksForTriggers = (appId: string) =>
    chosen.some(({ name }) => name === "webhooks") && leavesTriggers(contentOf(appId, "webhooks"));
  const needsTriggers = appIds.some(asksForTriggers);
  const neededTriggers = needsTriggers ? await readNeededTriggers(target) : () => undefined;
  const openApp = await createOpenApp(context, neededTriggers);
  const made: MadePlan[] = [];
  for (const [index, appId] of appIds.entries()) {
    edges.signal.throwIfAborted();
    out.progress(`compares app ${appId} (${index + 1} of ${appIds.length})`);
    const app = await openApp(appId);
    const { apis, secretOf, facts, digestKey } = app;
    if (asksForTriggers(appId) && facts.neededTriggers === undefined) {
      throw new CliError(
        "notThere",
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

/** Whether webhooks omit their triggers, which means `needed`. */
function leavesTriggers(content: unknown): boolean {
  const webhooks: unknown = isRecord(content) ? content.webhooks : undefined;
  return (
    Array.isArray(webhooks) &&
    webhooks.some((webhook) => isRecord(webhook) && (webhook.triggers ?? "needed") === "needed")
  );
}

/**
 * Shows the plans and asks, unless there is nothing to do. Returns the number of changes.
 * @param what For the question: what is changed.
 */
export async function agreeToPlans(
  wish: PlanWish,
  made: readonly MadePlan[],
  ground: WorkContext,
  what: string,
): Promise<number> {
  const toDo = made.flatMap(({ plan }) => plan.steps.filter(isToDo)).length;
  if (toDo === 0) return 0;
  printPlan(toPlanReport(wish, made, ground), ground.out);
  await ground.confirm(`Make ${countOf(toDo, "change")} in ${what}?`);
  return toDo;
}

export async function applyPlans(made: readonly MadePlan[], out: Output) {
  const applied = [];
  for (const { plan, app } of made) {
    const outcomes = await applyPlan(plan, app.apis, {
      onStep: ({ kind, id, action }, done, all) =>
        out.progress(`app ${plan.appId}: ${done + 1} of ${all}: ${action} ${kind.name} ${id}`),
    });
    const lacking = plan.steps.filter(isPartlyCompared).map((step) => ({
      ...({ kind: step.kind.name, id: step.id, outcome: "blocked", cause: whyBlocked(step) } as const),
    }));
    applied.push({
      appId: plan.appId,
      unchanged: plan.steps.filter(isAsDeclared).length,
      outcomes: [...outcomes, ...lacking].map((one): Partial<Record<"cause", string>> & StepOutcome => ({
        ...one,
      })),
    });
  }
  return applied;
}

export function toPlanReport(
  { only, switches }: PlanWish,
  made: readonly MadePlan[],
  { target, edges }: WorkContext,
): PlanReport {
  return {
    version: 1,
    target: targetOf(target),
    madeAt: new Date(edges.now()).toISOString(),
    only: [...only],
    switches,
    isChecked: false,
    apps: made.map(({ plan }) => toAppReport(plan)),
  };
}

export function targetOf({ kind, stage, region, accountId }: Target): PlanReport["target"] {
  return { kind, stage, region, account: accountId };
}
