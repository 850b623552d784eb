import { applyPlan, type StepOutcome, whyBlocked } from "./apply-plan.ts";
import { type AppPlan, isToDo, type PlanAppOptions, planApp } from "./plan-app.ts";

/** Planned, in a rehearsal. */
export type KeptThing =
  | StepOutcome
  | { readonly kind: string; readonly id: string; readonly outcome: "unchanged" };

export interface KeptApp {
  readonly things: readonly KeptThing[];
  /** Declared, but not read. */
  readonly unseen: readonly string[];
  /** Resources that differ, or differed. */
  readonly drift: number;
}

export interface KeepAppOptions extends Omit<PlanAppOptions, "switches" | "digestKey"> {
  /** Only reads. */
  readonly isRehearsal: boolean;
}

/**
 * As `app apply`, without deleting: reverts manual changes. May be repeated.
 * @throws what the client throws if the app cannot be read
 */
export async function keepApp({ isRehearsal, ...options }: KeepAppOptions): Promise<KeptApp> {
  const switches = { mayDelete: false, writesUnknown: false };
  const plan = await planApp({ ...options, switches, digestKey: "" });
  const outcomes = isRehearsal ? rehearse(plan) : await applyPlan(plan, options.apis);
  const unchanged = plan.steps.filter(({ action }) => action === "keep");
  return {
    things: inOrder(plan, [
      ...outcomes,
      ...unchanged.map(({ kind, id }) => ({ kind: kind.name, id, outcome: "unchanged" as const })),
    ]),
    unseen: plan.unseen,
    drift: outcomes.length,
  };
}

export function isUnkept(thing: KeptThing): boolean {
  return "cause" in thing;
}

function rehearse(plan: AppPlan): readonly StepOutcome[] {
  return plan.steps.flatMap((step): readonly StepOutcome[] => {
    const named = { kind: step.kind.name, id: step.id };
    if (step.action === "blocked") return [{ ...named, outcome: "blocked", cause: whyBlocked(step) }];
    if (!isToDo(step)) return [];
    return [{ ...named, outcome: step.action === "create" ? "created" : "updated" }];
  });
}

function inOrder({ steps }: AppPlan, things: readonly KeptThing[]): readonly KeptThing[] {
  return steps.flatMap(({ kind, id }) =>
    things.filter((thing) => thing.kind === kind.name && thing.id === id),
  );
}
