import { triggerOfStep } from "../../queue/lanes/progress.ts";
import { passedOverReason, triggerOffReason } from "../../queue/send-dead-letter.ts";
import type { SetAside } from "../../queue/set-aside.ts";
import type { DeployedFacts } from "./deployed-facts.ts";
import { needsOf } from "./doctor-services.ts";

/** Includes flows. */
export function actorsOf(
  trigger: string,
  appId: string,
  facts: DeployedFacts | undefined,
): readonly string[] {
  const needs = needsOf(facts, appId);
  const named = [needs?.webhook, needs?.elsewhere].flatMap((needed = {}) =>
    Object.hasOwn(needed, trigger) ? (needed[trigger] ?? []) : [],
  );
  return [...new Set([...named, ...(needs?.everything ?? [])])].toSorted();
}

export function handlersOf(
  trigger: string,
  appId: string,
  facts: DeployedFacts | undefined,
): readonly string[] {
  const deployed = facts?.triggers.map(({ name }) => name) ?? [];
  return actorsOf(trigger, appId, facts).filter((name) => deployed.includes(name));
}

/**
 * Returns the trigger that a dead letter's cause names, else those that handle such an event and did not
 * finish it.
 */
export function failedTriggersOf(
  { appId, trigger, reason, cause, finished = [] }: SetAside,
  facts: DeployedFacts | undefined,
): readonly string[] {
  const [, named] = (namedBy.has(reason) && /\bthe trigger ([\w-]+)/.exec(cause)) || [];
  if (named !== undefined) return [named];
  if (!unfinishedBy.has(reason)) return [];
  const handlers = handlersOf(trigger, appId, facts);
  const unfinished = handlers.filter((name) => !finished.some((step) => triggerOfStep(step) === name));
  if (unfinished.length > 0) return unfinished;
  // One that handles a derived event, too, may have finished only one of the two.
  const events = new Set(finished.map((step) => step.slice(0, -triggerOfStep(step).length)));
  return handlers.filter((name) => [...events].some((event) => !finished.includes(event + name)));
}

/** Our own causes. Those of the other reasons may quote a handler's error. */
const namedBy: ReadonlySet<string> = new Set(["deaths", passedOverReason, triggerOffReason]);

const unfinishedBy: ReadonlySet<string> = new Set(["permanent", "tries", "patience", "deaths"]);
