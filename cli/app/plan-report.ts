import * as z from "zod/mini";
import { whyBlocked } from "../../lib/operate/app-as-code/apply-plan.ts";
import { type AppPlan, isToDo } from "../../lib/operate/app-as-code/plan-app.ts";
import type { ThingStep } from "../../lib/operate/app-as-code/plan-thing.ts";

const thingSchema = z.strictObject({ kind: z.string(), id: z.string() });

const stepSchema = z.strictObject({
  kind: z.string(),
  id: z.string(),
  action: z.enum(["create", "update", "delete", "keep", "held", "blocked"]),
  changes: z.array(z.strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** Declared, but the platform does not show it. */
  cannotTell: z.array(z.string()),
  /** Declared, but not compared, because the app's secret does not have them. */
  missingSecrets: z.optional(z.array(z.string())),
  /** Exists, is not declared, and is kept. */
  kept: z.array(z.string()),
  blockedBy: z.optional(z.string()),
});

const appPlanSchema = z.strictObject({
  appId: z.string(),
  /** Digest of the found and the declared state. */
  state: z.string(),
  toDo: z.int(),
  unchanged: z.int(),
  /** Changes and remarks; resources that match are only counted. */
  steps: z.array(stepSchema),
  notOurs: z.array(thingSchema),
  /** Kinds that could not be read without management credentials. */
  unseen: z.array(z.string()),
});

/** `--json` of `app apply --dry-run`, and the file of `--out`. */
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
  /** With `--check`, a needed change is a failure. */
  isChecked: z.boolean(),
  apps: z.array(appPlanSchema).check(z.minLength(1)),
});

export type PlanReport = z.infer<typeof planReportSchema>;
export type AppPlanReport = PlanReport["apps"][number];

interface Compared {
  readonly action: ThingStep["action"];
  readonly missingSecrets?: readonly string[] | undefined;
}

/** Whether the app's secret lacks a declared field of what can be made otherwise. */
export function isPartlyCompared({ action, missingSecrets = [] }: Compared): boolean {
  return action !== "blocked" && missingSecrets.length > 0;
}

export function isAsDeclared(step: Compared): boolean {
  return step.action === "keep" && !isPartlyCompared(step);
}

/** Leaves out secrets. */
export function toAppReport(plan: AppPlan): AppPlanReport {
  const steps = plan.steps.map((step) => ({
    kind: step.kind.name,
    id: step.id,
    action: step.action,
    changes: step.changes.map(({ field, before = null, after = null }) => ({ field, before, after })),
    cannotTell: [...step.unknown],
    ...(step.missingSecrets.length > 0 && { missingSecrets: [...step.missingSecrets] }),
    kept: [...step.kept],
    ...(step.action === "blocked" ? { blockedBy: whyBlocked(step) } : {}),
  }));
  const isQuiet = (step: (typeof steps)[number]) =>
    step.action === "keep" &&
    step.cannotTell.length + step.kept.length === 0 &&
    step.missingSecrets === undefined;
  return {
    appId: plan.appId,
    state: plan.state,
    toDo: plan.steps.filter(isToDo).length,
    unchanged: plan.steps.filter(isAsDeclared).length,
    steps: steps.filter((step) => !isQuiet(step)),
    notOurs: plan.others.map(({ kind, id }) => ({ kind, id })),
    unseen: [...plan.unseen],
  };
}
