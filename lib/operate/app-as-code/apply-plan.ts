import { describeError } from "../../base/describe-error.ts";
import { OwnError } from "../../base/errors.ts";
import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { refusesCredentials } from "../../chat/is-code.ts";
import { type AppPlan, isToDo, partsAmong } from "./plan-app.ts";
import type { ResourceStep } from "./plan-resource.ts";
import {
  type AbsentResource,
  type AppApis,
  comparisonOf,
  type FoundResource,
  fitsWhole,
  type KindCalls,
  ruleOf,
  twinsIn,
} from "./resource.ts";
import { withMasks } from "./secret-reference.ts";

type StepResult =
  | { readonly outcome: "created" | "updated" | "deleted" }
  /** `overtaken`: changed since it was read. `skipped`: not begun. */
  | { readonly outcome: "failed" | "overtaken" | "skipped" | "blocked"; readonly cause: string };

export type StepOutcome = AbsentResource & StepResult;

interface ApplyListeners {
  readonly onStep?: (step: ResourceStep, done: number, toDo: number) => void;
  /** Called if the platform does not answer or refuses the credentials. */
  readonly onStop?: (() => void) | undefined;
}

/**
 * A failed step does not stop the others, unless the platform does not answer or refuses the credentials.
 * Overwrites no concurrent changes. Repeatable, with a new plan.
 */
export async function applyPlan(
  plan: AppPlan,
  apis: AppApis,
  { onStep, onStop }: ApplyListeners = {},
): Promise<readonly StepOutcome[]> {
  const toDo = plan.steps.filter((step) => isToDo(step) || step.action === "blocked");
  const outcomes: StepOutcome[] = [];
  const unmade: ResourceStep[] = [];
  let stopped: string | undefined;
  const take = async (step: ResourceStep, done: number): Promise<StepResult> => {
    const { kind, action, target } = step;
    const calls = kind.connect(apis);
    if (action === "blocked" || calls === undefined) return { outcome: "blocked", cause: whyBlocked(step) };
    if (stopped !== undefined) return { outcome: "skipped", cause: withRemedy(step, stopped) };
    const lacking = partsAmong(target, kind, unmade).join(", ");
    if (lacking !== "")
      return { outcome: "skipped", cause: `Not begun, as it needs what failed: ${lacking}.` };
    onStep?.(step, done, toDo.length);
    try {
      return await carryOut(step, calls);
    } catch (error) {
      if (action === "create") unmade.push(step);
      if (endsAll(error)) {
        stopped = "Not begun, as the step before it could not reach the platform.";
        onStop?.();
      }
      return { outcome: "failed", cause: withRemedy(step, describeError(error)) };
    }
  };
  for (const [done, step] of toDo.entries())
    outcomes.push({ kind: step.kind.name, id: step.id, ...(await take(step, done)) });
  return outcomes;
}

/** A later plan cannot see fields that the platform hides. */
function withRemedy({ kind, target }: ResourceStep, cause: string) {
  const names = Object.keys(target);
  if (names.length === 0 || !names.every((name) => ruleOf(kind, name).isSilent)) return cause;
  return `${cause} The next plan may not see that it is missing; what writes it: npx cometchat-functions app apply --write-unknown`;
}

export function whyBlocked({ missingSecrets, missingFields, refusals, found }: ResourceStep): string {
  return [
    ...missingSecrets.map((name) => `The app's secret has no field "${name}".`),
    ...missingFields.map((name) =>
      found === undefined
        ? `Nothing says its ${name}.`
        : `Nothing says its ${name}, and its secrets go to no other: deploy first, or declare it.`,
    ),
    ...refusals,
  ].join(" ");
}

export function isDone({ outcome }: StepOutcome): boolean {
  return outcome === "created" || outcome === "updated" || outcome === "deleted";
}

async function carryOut(step: ResourceStep, calls: KindCalls): Promise<StepResult> {
  const { action, id, kind, target } = step;
  const before = await calls.find(id);
  if (action === "delete") {
    // A repeated request whose response was lost finds nothing.
    if (before !== undefined)
      await calls.remove?.(id).catch(async (error: unknown) => {
        if ((await calls.find(id)) !== undefined) throw error;
      });
    return { outcome: "deleted" };
  }
  const done = { outcome: action === "create" ? "created" : "updated" } as const;
  const [twinsBefore] = twinsIn(before);
  if (twinsBefore !== undefined) return { outcome: "overtaken", cause: twinsBefore };
  // A resource that shows no fields, such as a role's permissions, equals a missing one.
  if (!fitsWhole(before?.fields, step.found?.fields)) {
    if (before !== undefined && differingFrom(step, before).length === 0) return done;
    return { outcome: "overtaken", cause: "It was changed since it was read: plan again." };
  }
  await tryToWrite(step, calls, before);
  const after = await calls.find(id);
  const [twins] = twinsIn(after);
  if (twins !== undefined) return { outcome: "failed", cause: twins };
  if (after === undefined && kind.ownId !== undefined)
    throw new OwnError(
      "The platform does not list it yet: look before you repeat this, or there may be two.",
    );
  const different = after === undefined ? Object.keys(target) : differingFrom(step, after);
  if (after !== undefined && different.length === 0) return done;
  return {
    outcome: "failed",
    cause: `The platform took the ${kind.name}, but not: ${different.join(", ")}.`,
  };
}

/**
 * Without a response, or after another run's change, reads the result and sends once more, unless that may
 * create a twin.
 */
async function tryToWrite(step: ResourceStep, calls: KindCalls, before: FoundResource | undefined) {
  try {
    await calls.write(step.id, step.target, before);
  } catch (error) {
    if (!(error instanceof ChatApiError || error instanceof ChatUnreachableError)) throw error;
    const isRefusal = error instanceof ChatApiError && !error.maybeExecuted && !endsAll(error);
    if (!isRefusal && !error.maybeExecuted) throw error;
    const now = await calls.find(step.id);
    if (isRefusal) {
      if (isShownAsWanted(step, now)) return;
      throw error;
    }
    // Hidden fields prove nothing.
    const isMade = before === undefined && now !== undefined && Object.keys(now.fields).length > 0;
    if (isMade && differingFrom(step, now).length === 0) return;
    if (now !== undefined || step.kind.ownId === undefined) await calls.write(step.id, step.target, now);
  }
}

function isShownAsWanted({ kind, target }: ResourceStep, found: FoundResource | undefined) {
  return Object.entries(target).every(([name, value]) => {
    const shown = found?.fields[name];
    return shown !== undefined && comparisonOf(ruleOf(kind, name))(value, shown);
  });
}

function differingFrom({ kind, declared, target }: ResourceStep, { fields }: FoundResource) {
  return Object.keys(target).filter((name) => {
    const [rule, shown] = [ruleOf(kind, name), fields[name]];
    if (rule.isSilent && shown === undefined) return false;
    return !comparisonOf(rule)(withMasks(target[name], declared[name], shown), shown);
  });
}

function endsAll(error: unknown) {
  if (error instanceof ChatUnreachableError) return error.phase !== "body";
  return refusesCredentials(error);
}
