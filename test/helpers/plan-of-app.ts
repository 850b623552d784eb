import { applyPlan, type StepOutcome } from "../../lib/operate/app-as-code/apply-plan.ts";
import { declareApp } from "../../lib/operate/app-as-code/declare-app.ts";
import type { DeploymentFacts } from "../../lib/operate/app-as-code/define-subject.ts";
import { exportApp } from "../../lib/operate/app-as-code/export-app.ts";
import { type AppPlan, isToDo, planApp } from "../../lib/operate/app-as-code/plan-app.ts";
import { subjects } from "../../lib/operate/app-as-code/subjects.ts";
import type { AppApis, PlanSwitches } from "../../lib/operate/app-as-code/thing.ts";
import { testFacts } from "./app-apis.ts";

/** What files say, by their name: `{ roles: { roles: [] } }`. */
export type Contents = Readonly<Record<string, unknown>>;

export interface PlanOptions {
  readonly switches?: Partial<PlanSwitches>;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly facts?: Partial<DeploymentFacts>;
}

/** Plans what files say of an app. */
export function planOfApp(apis: AppApis, contents: Contents, options: PlanOptions = {}): Promise<AppPlan> {
  const { switches = {}, secrets = testSecrets, facts } = options;
  return planApp({
    kinds: subjects.flatMap(({ kinds }) => kinds),
    declared: declareApp(subjects, (name) => contents[name], {
      ...{ ...testFacts, appId: apis.appId, ...facts },
    }),
    apis,
    secretOf: async (name) => secrets[name],
    switches: { mayDelete: false, writesUnknown: false, ...switches },
    digestKey: "key",
  });
}

/** Plans and applies. */
export async function applyToApp(
  apis: AppApis,
  contents: Contents,
  options: PlanOptions = {},
): Promise<readonly StepOutcome[]> {
  return applyPlan(await planOfApp(apis, contents, options), apis);
}

/** What a plan would do, as `update role agent: name`. */
export function toDoOf(plan: AppPlan): readonly string[] {
  return plan.steps.filter(isToDo).map(({ action, kind, id, changes }) => {
    const fields = changes.map(({ field }) => field).join(", ");
    return `${action} ${kind.name} ${id}${fields === "" ? "" : `: ${fields}`}`;
  });
}

/** What came of it, as `created role agent`. */
export function toldOf(outcomes: readonly StepOutcome[]): readonly string[] {
  return outcomes.map(({ outcome, kind, id }) => `${outcome} ${kind} ${id}`);
}

/** What an app's files would say. */
export async function contentsOfApp(apis: AppApis): Promise<Contents> {
  const { files } = await exportApp(subjects, apis, testFacts);
  return Object.fromEntries(files.map(({ subject, content }) => [subject, content]));
}

/** The app's secret in tests. */
export const testSecrets: Readonly<Record<string, string>> = {
  webhookUsername: "platform",
  webhookPassword: "abc123",
};
