import { applyPlan, whyBlocked } from "./apply-plan.ts";
import type { DeclaredApp } from "./plan-app.ts";
import { type AppPlan, isToDo, planApp } from "./plan-app.ts";
import type { SecretOf } from "./secret-reference.ts";
import type { AppApis, Kind } from "./thing.ts";

/** What became of one declared thing, or, in a rehearsal, what would. */
export type KeptThing =
  | {
      readonly kind: string;
      readonly id: string;
      readonly outcome: "created" | "updated" | "deleted" | "unchanged";
    }
  | {
      readonly kind: string;
      readonly id: string;
      readonly outcome: "failed" | "overtaken" | "skipped" | "blocked";
      readonly cause: string;
    };

/** One app, as it was left. */
export interface KeptApp {
  readonly things: readonly KeptThing[];
  /** Kinds with declared things that nobody looked at. */
  readonly unseen: readonly string[];
  /** How many things are, or were, not as declared. */
  readonly drift: number;
}

export interface KeepAppOptions {
  readonly kinds: readonly Kind[];
  readonly declared: DeclaredApp;
  readonly apis: AppApis;
  readonly secretOf: SecretOf;
  /** Reads only, and tells what a run would do. */
  readonly isRehearsal: boolean;
}

/**
 * Makes an app as declared, as `app apply` would, without deleting anything: what somebody changed by hand is changed back. May
 * be repeated.
 * @throws what the client throws when the app cannot be read
 */
export async function keepApp({ isRehearsal, ...options }: KeepAppOptions): Promise<KeptApp> {
  const switches = { mayDelete: false, writesUnknown: false };
  // Nothing is bound to this plan but the run that made it.
  const plan = await planApp({ ...options, switches, digestKey: "" });
  const outcomes: readonly KeptThing[] = isRehearsal ? rehearse(plan) : await applyPlan(plan, options.apis);
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

/** Tells whether something was not done that should have been. */
export function isUnkept(thing: KeptThing): boolean {
  return "cause" in thing;
}

function rehearse(plan: AppPlan): readonly KeptThing[] {
  return plan.steps.flatMap((step): readonly KeptThing[] => {
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
