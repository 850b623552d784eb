import type { AppEvent } from "./app-event.ts";
import { handles, type Trigger, type TriggerContext } from "./on-trigger.ts";

/** The app's triggers by name, in the order in which they run. */
export type TriggerTable = Readonly<Record<string, Trigger>>;

/** Thrown after all triggers of an event ran and some failed; the queue then hands the event out again. */
export class TriggersFailedError extends AggregateError {
  override readonly name = "TriggersFailedError";
}

export interface TriggerRun {
  /** Gives each trigger its own context, so that effects of the same name in two triggers are two effects. */
  readonly contextOf: (triggerName: string) => Promise<TriggerContext>;
  readonly finished: FinishedTriggers;
}

/** Which triggers are done with an event. */
export interface FinishedTriggers {
  /** Runs `work` unless the trigger finished in an earlier attempt. */
  skipOrRun(triggerName: string, work: () => Promise<void>): Promise<void>;
  /** Remembers that a trigger finished; called only when another one of the same event failed. */
  remember(triggerName: string): Promise<void>;
}

/**
 * Runs every trigger that handles the event, one after the other; one that fails does not keep the next from running,
 * and those that succeeded do not run again when the queue hands the event out again for the one that failed.
 * @throws TriggersFailedError when any failed
 */
export async function runTriggers(
  table: TriggerTable,
  event: AppEvent,
  { contextOf, finished }: TriggerRun,
): Promise<void> {
  const failures = new Map<string, unknown>();
  const done: string[] = [];
  for (const [name, trigger] of Object.entries(table)) {
    if (!handles(trigger, event)) continue;
    try {
      await finished.skipOrRun(name, async () => trigger.run(await contextOf(name)));
      done.push(name);
    } catch (error) {
      failures.set(name, error);
    }
  }
  if (failures.size === 0) return;

  // Not remembered is no harm: such a trigger runs again, and its effects happen once.
  await Promise.allSettled(done.map((name) => finished.remember(name)));
  const names = [...failures.keys()].join(", ");
  throw new TriggersFailedError(
    [...failures.values()],
    `Of the triggers for ${event.trigger}, these failed: ${names}.`,
  );
}
