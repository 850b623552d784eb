import { describeError } from "../../base/describe-error.ts";
import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { refusesCredentials } from "../../chat/is-code.ts";
import { type AppPlan, isToDo, partsAmong } from "./plan-app.ts";
import type { ResourceStep } from "./plan-resource.ts";
import {
  type AppApis,
  comparisonOf,
  type FoundResource,
  fitsWhole,
  type KindCalls,
  ruleOf,
  twinsIn,
} from "./resource.ts";
import { withMasks } from "./secret-reference.ts";

export type StepOutcome =
  | { readonly kind: string; readonly id: string; readonly outcome: "created" | "updated" | "deleted" }
  | {
      readonly kind: string;
      readonly id: string;
      /** `overtaken`: changed since it was read. `skipped`: not begun. */
      readonly outcome: "failed" | "overtaken" | "skipped" | "blocked";
      readonly cause: string;
    };

export interface ApplyOptions {
  /** Before each step, and with its outcome. */
  readonly onStep?: (step: ResourceStep, done: number, toDo: number) => void;
}

/**
 * A failed step does not stop the others, unless the platform does not answer or refuses the credentials.
 * Does not overwrite concurrent changes. May be repeated, with a new plan.
 */
export async function applyPlan(
  plan: AppPlan,
  apis: AppApis,
  { onStep }: ApplyOptions = {},
): Promise<readonly StepOutcome[]> {
  const toDo = plan.steps.filter((step) => isToDo(step) || step.action === "blocked");
  const outcomes: StepOutcome[] = [];
  const unmade: ResourceStep[] = [];
  let stopped: string | undefined;
  for (const [done, step] of toDo.entries()) {
    const named = { kind: step.kind.name, id: step.id };
    const calls = step.kind.connect(apis);
    const lacking = partsAmong(step.target, step.kind, unmade);
    if (step.action === "blocked" || calls === undefined) {
      outcomes.push({ ...named, outcome: "blocked", cause: whyBlocked(step) });
    } else if (stopped !== undefined) {
      outcomes.push({ ...named, outcome: "skipped", cause: withRemedy(step, stopped) });
    } else if (lacking.length > 0) {
      const cause = `Not begun, as it needs what failed: ${lacking.join(", ")}.`;
      outcomes.push({ ...named, outcome: "skipped", cause });
    } else {
      onStep?.(step, done, toDo.length);
      try {
        outcomes.push({ ...named, ...(await carryOut(step, calls)) });
      } catch (error) {
        outcomes.push({ ...named, outcome: "failed", cause: withRemedy(step, describeError(error)) });
        if (step.action === "create") unmade.push(step);
        if (endsAll(error)) stopped = "Not begun, as the step before it could not reach the platform.";
      }
    }
  }
  return outcomes;
}

/** A later plan cannot see what the platform does not show. */
function withRemedy({ kind, target }: ResourceStep, cause: string): string {
  const isHidden = Object.keys(target).every((name) => ruleOf(kind, name).isSilent === true);
  const remedy =
    " The next plan may not see that it is missing; what writes it: npx cometchat-functions app apply --write-unknown";
  return isHidden && Object.keys(target).length > 0 ? `${cause}${remedy}` : cause;
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

export function isDone({ outcome }: Pick<StepOutcome, "outcome">): boolean {
  return outcome === "created" || outcome === "updated" || outcome === "deleted";
}

type StepResult =
  | { readonly outcome: "created" | "updated" | "deleted" }
  | { readonly outcome: "failed" | "overtaken"; readonly cause: string };

async function carryOut(step: ResourceStep, calls: KindCalls): Promise<StepResult> {
  const { action, id, kind, target } = step;
  const before = await calls.find(id);
  if (action === "delete") {
    if (before !== undefined) await removeOnce(id, calls);
    return { outcome: "deleted" };
  }
  const [twinsBefore] = twinsIn(before);
  if (twinsBefore !== undefined) return { outcome: "overtaken", cause: twinsBefore };
  if (!isSameResource(before, step.found)) {
    if (before !== undefined && isAsWanted(step, before)) return { outcome: outcomeOf(step) };
    return { outcome: "overtaken", cause: `It was changed since it was read: plan again.` };
  }
  await tryToWrite(step, calls, before);
  const after = await calls.find(id);
  const [twins] = twinsIn(after);
  if (twins !== undefined) return { outcome: "failed", cause: twins };
  if (after !== undefined && isAsWanted(step, after)) return { outcome: outcomeOf(step) };
  const different = Object.keys(target).filter(
    (name) => after === undefined || !isFieldAsWanted(step, name, after),
  );
  return {
    outcome: "failed",
    cause: `The platform took the ${kind.name}, but not: ${different.join(", ")}.`,
  };
}

/** Repeated after a lost response, finds nothing. */
async function removeOnce(id: string, calls: KindCalls): Promise<void> {
  try {
    await calls.remove?.(id);
  } catch (error) {
    if ((await calls.find(id)) !== undefined) throw error;
  }
}

/** Without a response, or if another run did it: looks for the result, and sends it once more. */
async function tryToWrite(
  step: ResourceStep,
  calls: KindCalls,
  before: FoundResource | undefined,
): Promise<void> {
  try {
    await calls.write(step.id, step.target, before);
  } catch (error) {
    const isRefusal = error instanceof ChatApiError && !error.maybeExecuted && !endsAll(error);
    if (!isRefusal && !isUnclear(error)) throw error;
    const now = await calls.find(step.id);
    if (isRefusal) {
      if (isShownAsWanted(step, now)) return;
      throw error;
    }
    // Fields that are not shown prove nothing.
    const isMade = before === undefined && now !== undefined && Object.keys(now.fields).length > 0;
    if (isMade && isAsWanted(step, now)) return;
    await calls.write(step.id, step.target, now);
  }
}

/** A resource that shows no fields, such as a role's permissions, equals a missing one. */
function isSameResource(one: FoundResource | undefined, other: FoundResource | undefined): boolean {
  const [first, second] = [one?.fields ?? {}, other?.fields ?? {}];
  return fitsWhole(first, second);
}

function isAsWanted(step: ResourceStep, found: FoundResource): boolean {
  return Object.keys(step.target).every((name) => isFieldAsWanted(step, name, found));
}

/** What is neither shown nor readable proves nothing. */
function isShownAsWanted({ kind, target }: ResourceStep, found: FoundResource | undefined): boolean {
  return Object.entries(target).every(([name, value]) => {
    const shown = found?.fields[name];
    return shown !== undefined && comparisonOf(ruleOf(kind, name))(value, shown);
  });
}

function isFieldAsWanted(
  step: ResourceStep,
  name: string,
  { fields: { [name]: shown } }: FoundResource,
): boolean {
  const { kind, declared, target } = step;
  const rule = ruleOf(kind, name);
  if (rule.isSilent === true && shown === undefined) return true;
  return comparisonOf(rule)(withMasks(target[name], declared[name], shown), shown);
}

function outcomeOf({ action }: ResourceStep): "created" | "updated" {
  return action === "create" ? "created" : "updated";
}

function isUnclear(error: unknown): boolean {
  return (error instanceof ChatUnreachableError || error instanceof ChatApiError) && error.maybeExecuted;
}

function endsAll(error: unknown): boolean {
  if (error instanceof ChatUnreachableError) return error.phase !== "body";
  return refusesCredentials(error);
}
