import type { EffectsStore } from "../effects/effects-store.ts";
import type { FinishedTriggers } from "./run-triggers.ts";

export interface FinishedTriggersOptions {
  readonly store: EffectsStore;
  /** Equal for every attempt at one delivery, and different for a second delivery of the same fact. */
  readonly deliveryKey: string;
  /** How often the queue has handed out the delivery, this time included. */
  readonly attempt: number;
}

/**
 * Remembers on the table which triggers finished. The first attempt reads nothing and, when nothing fails, writes
 * nothing; so an event that no trigger acts on costs nothing here. A function that dies half-way remembers nothing:
 * then all triggers run again, and only effects are sure to happen once.
 */
export function createFinishedTriggers(options: FinishedTriggersOptions): FinishedTriggers {
  const { store, deliveryKey, attempt } = options;
  const keyOf = (triggerName: string) => `finished ${deliveryKey} ${triggerName}`;
  return {
    skipOrRun: async (triggerName, work) => {
      if (attempt === 1) return work();
      await store.once(keyOf(triggerName), async () => {
        await work();
        return true;
      });
    },
    remember: async (triggerName) => {
      await store.once(keyOf(triggerName), async () => true);
    },
  };
}
