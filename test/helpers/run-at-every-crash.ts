import type { Trigger } from "../../lib/triggers/on-trigger.ts";
import { type RunTriggerOptions, runTrigger, type TriggerOutcome } from "./run-trigger.ts";

/** A run in which the process died at one edge. */
export interface CrashedRun extends TriggerOutcome {
  /** Such as `after PUT /groups/lobby`. */
  readonly crash: string;
}

/**
 * Hands one event to one trigger as `runTrigger` does, once for each place at which its process can die: before and after each
 * request and each write. What should happen once has to be so in every run.
 * @example for (const { crash, sent } of await runAtEveryCrash(thanks, event)) expect([crash, sent.length]).toEqual([crash, 1]);
 */
export async function runAtEveryCrash(
  trigger: Trigger,
  body: object,
  options: Omit<RunTriggerOptions, "crash"> = {},
): Promise<readonly CrashedRun[]> {
  const { edges } = await runTrigger(trigger, body, options);
  const runs: CrashedRun[] = [];
  for (const [edge, name] of edges.entries()) {
    for (const when of ["before", "after"] as const) {
      const outcome = await runTrigger(trigger, body, { ...options, crash: [{ when, edge }] });
      runs.push({ crash: `${when} ${name}`, ...outcome });
    }
  }
  return runs;
}
