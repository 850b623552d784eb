import type { Trigger, TriggerContext } from "./on-trigger.ts";

/** The app's triggers by name, in the order in which they run. */
export type TriggerTable = Readonly<Record<string, Trigger>>;

/** Thrown after all triggers of an event ran and some failed; the queue then hands the event out again. */
export class TriggersFailedError extends AggregateError {
  override readonly name = "TriggersFailedError";
}

/**
 * Runs every trigger that handles the event, one after the other; one that fails does not keep the next from running.
 * `contextOf` gives each its own context, so that effects of the same name in two triggers are two effects.
 * @throws TriggersFailedError when any failed
 */
export async function runTriggers(
  table: TriggerTable,
  event: TriggerContext["event"],
  contextOf: (triggerName: string) => Promise<TriggerContext>,
): Promise<void> {
  const failures = new Map<string, unknown>();
  for (const [name, trigger] of Object.entries(table)) {
    if (!trigger.handles(event)) continue;
    try {
      await trigger.run(await contextOf(name));
    } catch (error) {
      failures.set(name, error);
    }
  }
  if (failures.size === 0) return;
  const names = [...failures.keys()].join(", ");
  throw new TriggersFailedError(
    [...failures.values()],
    `Of the triggers for ${event.trigger}, these failed: ${names}.`,
  );
}
