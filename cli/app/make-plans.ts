import { isRecord } from "../../lib/base/json.ts";
import { declareApp } from "../../lib/operate/app-as-code/declare-app.ts";
import type { Subject } from "../../lib/operate/app-as-code/define-subject.ts";
import { type AppPlan, planApp } from "../../lib/operate/app-as-code/plan-app.ts";
import type { PlanSwitches } from "../../lib/operate/app-as-code/thing.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Target } from "../target/target.ts";
import { chooseApps, chooseSubjects, readDeclaredFiles } from "./declared-files.ts";
import { readNeededTriggers } from "./needed-triggers.ts";
import { createOpenApp, type OpenedApp } from "./open-app.ts";
import { type PlanReport, toAppReport } from "./plan-report.ts";

export interface PlanWish {
  /** Empty: all apps of the stage. */
  readonly appIds: readonly string[];
  /** Empty: all files. */
  readonly only: readonly string[];
  readonly switches: PlanSwitches;
}

type AppContext = Omit<WorkContext, "confirm">;

export interface MadePlan {
  readonly plan: AppPlan;
  readonly app: OpenedApp;
}

/** Apply also uses it to check a saved plan. */
export async function makePlans(
  wish: PlanWish,
  { target, edges, out }: AppContext,
): Promise<readonly MadePlan[]> {
  const chosen: readonly Subject[] = chooseSubjects(wish.only);
  const appIds = await chooseApps(edges.projectFolder, target.stage, wish.appIds);
  const contentOf = await readDeclaredFiles(edges.projectFolder, target.stage);
  const isAboutWebhooks = chosen.some(({ name }) => name === "webhooks");
  const needsTriggers =
    isAboutWebhooks && appIds.some((appId) => asksForTriggers(contentOf(appId, "webhooks")));
  const neededTriggers = needsTriggers ? await readNeededTriggers(target) : () => undefined;
  const openApp = await createOpenApp({ target, edges, neededTriggers });
  const made: MadePlan[] = [];
  for (const [index, appId] of appIds.entries()) {
    edges.signal.throwIfAborted();
    out.progress(`compares app ${appId} (${index + 1} of ${appIds.length})`);
    const app = await openApp(appId);
    if (isAboutWebhooks) checkTriggersAreKnown(contentOf(appId, "webhooks"), app);
    const { apis, secretOf, facts, digestKey } = app;
    const plan = await planApp({
      kinds: chosen.flatMap(({ kinds }) => kinds),
      declared: declareApp(chosen, (subject) => contentOf(appId, subject), facts),
      switches: wish.switches,
      ...{ apis, secretOf, digestKey },
    });
    made.push({ plan, app });
  }
  return made;
}

export function toPlanReport(
  wish: PlanWish,
  made: readonly MadePlan[],
  { target, edges }: AppContext,
): PlanReport {
  return {
    version: 1,
    target: targetOf(target),
    madeAt: new Date(edges.now()).toISOString(),
    only: [...wish.only],
    switches: { ...wish.switches },
    isChecked: false,
    apps: made.map(({ plan }) => toAppReport(plan)),
  };
}

export function targetOf({ kind, stage, region, accountId }: Target): PlanReport["target"] {
  return { kind, stage, region, account: accountId };
}

function checkTriggersAreKnown(content: unknown, { appId, facts }: OpenedApp): void {
  if (!asksForTriggers(content) || facts.neededTriggers !== undefined) return;
  throw new CliError(
    "notThere",
    "TRIGGERS_UNKNOWN",
    `The deployment does not say which triggers the app ${appId} needs, and config/app/webhooks.yml leaves it to that.`,
    "Deploy first, or plan the other files: --only roles, …",
  );
}

/** Whether webhooks omit their triggers, which means `needed`. */
function asksForTriggers(content: unknown): boolean {
  const webhooks: unknown = isRecord(content) ? content.webhooks : undefined;
  return (
    Array.isArray(webhooks) &&
    webhooks.some((webhook) => isRecord(webhook) && (webhook.triggers ?? "needed") === "needed")
  );
}
