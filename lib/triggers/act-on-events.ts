import { createEffects } from "../effects/effects.ts";
import type { EffectsStore } from "../effects/effects-store.ts";
import type { Log } from "../log.ts";
import type { AppEvent } from "./app-event.ts";
import { createFinishedTriggers } from "./finished-triggers.ts";
import { runTriggers, TriggersFailedError, type TriggerTable } from "./run-triggers.ts";
import type { TriggerChat } from "./trigger-chat.ts";

/** The delivery that brought the events. */
export interface DeliveryAttempt {
  readonly appId: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** How often the queue has handed it out, this time included. */
  readonly attempt: number;
}

interface Services {
  readonly triggers: TriggerTable;
  readonly chatOf: (appId: string) => Promise<TriggerChat>;
  readonly store: EffectsStore;
  readonly log: Log;
  readonly deadlineMs: number;
}

/**
 * Runs the triggers for each event that one delivery brought, the platform's own first. All events get their turn.
 * @throws TriggersFailedError when any trigger failed
 */
export async function actOnEvents(
  events: readonly AppEvent[],
  delivery: DeliveryAttempt,
  services: Services,
): Promise<void> {
  const failures: TriggersFailedError[] = [];
  for (const event of events) {
    await actOnEvent(event, delivery, services).catch((error: unknown) => {
      if (!(error instanceof TriggersFailedError)) throw error;
      failures.push(error);
    });
  }
  const [first, ...others] = failures;
  if (first === undefined) return;
  throw others.length === 0
    ? first
    : new TriggersFailedError(failures, "Triggers for several events failed.");
}

async function actOnEvent(
  event: AppEvent,
  { appId, receivedAt, attempt }: DeliveryAttempt,
  { triggers, chatOf, store, log, deadlineMs }: Services,
): Promise<void> {
  const { key, expiresAfterMs } = event.head;
  await runTriggers(triggers, event, {
    finished: createFinishedTriggers({ store, deliveryKey: `${key} ${receivedAt}`, attempt }),
    contextOf: async (name) => {
      const chat = await chatOf(appId);
      const { messages } = chat;
      const effectsKey = `${key} ${name}`;
      const effects = createEffects({
        store,
        messages,
        key: effectsKey,
        expiresAfterMs,
        attempt,
        deadlineMs,
      });
      return { event, chat, log, effects };
    },
  });
}
