import * as z from "zod/mini";
import { whyBlocked } from "../../lib/operate/app-as-code/apply-plan.ts";
import { type AppPlan, isToDo } from "../../lib/operate/app-as-code/plan-app.ts";

const thingSchema = z.strictObject({ kind: z.string(), id: z.string() });

const stepSchema = z.strictObject({
  kind: z.string(),
  id: z.string(),
  action: z.enum(["create", "update", "delete", "keep", "held", "blocked"]),
  changes: z.array(z.strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** Declared, and not shown by the platform. */
  cannotTell: z.array(z.string()),
  /** There and not declared, and kept. */
  kept: z.array(z.string()),
  /** Why it cannot be made. */
  blockedBy: z.optional(z.string()),
});

const appPlanSchema = z.strictObject({
  appId: z.string(),
  /** Stands for what was found and what is declared. */
  state: z.string(),
  toDo: z.int(),
  unchanged: z.int(),
  /** What is to be done, and what is to be known; things that are as declared are only counted. */
  steps: z.array(stepSchema),
  notOurs: z.array(thingSchema),
  /** Kinds that could not be looked at without management credentials. */
  unseen: z.array(z.string()),
});

/** What `app plan` answers with `--json`, and writes with `--out`. */
export const planReportSchema = z.strictObject({
  version: z.literal(1),
  target: z.strictObject({
    kind: z.enum(["local", "stage"]),
    stage: z.string(),
    region: z.string(),
    account: z.string(),
  }),
  madeAt: z.string(),
  only: z.array(z.string()),
  switches: z.strictObject({ mayDelete: z.boolean(), writesUnknown: z.boolean() }),
  /** Asked for with `--check`: something to do is a failure. */
  isChecked: z.boolean(),
  apps: z.array(appPlanSchema).check(z.minLength(1)),
});

/** A plan as it is shown and kept: without secrets. */
export type PlanReport = z.infer<typeof planReportSchema>;
export type AppPlanReport = PlanReport["apps"][number];

/** Gives a plan as it may be shown. */
export function toAppReport(plan: AppPlan): AppPlanReport {
  const steps = plan.steps.map((step) => ({
    kind: step.kind.name,
    id: step.id,
    action: step.action,
    changes: step.changes.map(({ field, before = null, after = null }) => ({ field, before, after })),
    cannotTell: [...step.unknown],
    kept: [...step.kept],
    ...(step.action === "blocked" ? { blockedBy: whyBlocked(step) } : {}),
  }));
  const isQuiet = (step: (typeof steps)[number]) =>
    step.action === "keep" && step.cannotTell.length + step.kept.length === 0;
  return {
    appId: plan.appId,
    state: plan.state,
    toDo: plan.steps.filter(isToDo).length,
    unchanged: steps.filter(({ action }) => action === "keep").length,
    steps: steps.filter((step) => !isQuiet(step)),
    notOurs: plan.others.map(({ kind, id }) => ({ kind, id })),
    unseen: [...plan.unseen],
  };
}
