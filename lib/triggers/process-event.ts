import { describeError } from "../describe-error.ts";
import { createEffects } from "../effects/effects.ts";
import type { EffectsStore } from "../effects/effects-store.ts";
import { parseEvent } from "../events/parse-event.ts";
import type { Log } from "../log.ts";
import type { Quarantine } from "../webhook/quarantine.ts";
import { bytesOf, readQueuedEvent } from "../webhook/read-queued-event.ts";
import { runTriggers, type TriggerTable } from "./run-triggers.ts";
import type { TriggerChat } from "./trigger-chat.ts";

/** A message of the events queue, as it is handed out. */
export interface HandedOut {
  readonly messageId: string;
  readonly messageBody: string;
  /** How often it has been handed out, this time included. */
  readonly attempt: number;
}

export interface ProcessEventServices {
  readonly triggers: TriggerTable;
  readonly chatOf: (appId: string) => Promise<TriggerChat>;
  readonly store: EffectsStore;
  readonly quarantine: Quarantine;
  readonly log: Log;
  readonly count: (name: string, dimensions: Readonly<Record<string, string>>) => void;
  readonly now: () => number;
  /** Unix milliseconds after which nothing is started: the function's time is then up. */
  readonly deadlineMs: number;
}

/**
 * Handles one event: parse, then the triggers that match. An event that cannot be understood goes into quarantine.
 * May be repeated: what triggers do through `effects` happens once.
 * @throws TriggersFailedError and what reaching the table, the secret or a queue throws; the event is then handed out again
 */
export async function processEvent(handedOut: HandedOut, services: ProcessEventServices): Promise<void> {
  const { messageId, attempt } = handedOut;
  try {
    await handleEvent(handedOut, services);
  } catch (error) {
    services.log.error("could not handle an event; the queue hands it out again", {
      messageId,
      attempt,
      error: describeError(error),
    });
    throw error;
  }
}

async function handleEvent(
  { messageBody, attempt }: HandedOut,
  services: ProcessEventServices,
): Promise<void> {
  const { triggers, chatOf, store, quarantine, log, count, now, deadlineMs } = services;
  const queued = readQueuedEvent(messageBody);
  const { appId, trigger, key, receivedAt } = queued;
  const bytes = bytesOf(queued);

  const parsed = parseEvent(JSON.parse(bytes.toString("utf8")), { appId, fallback: () => key });
  if (!parsed.ok) {
    await quarantine({ appId, bytes, receivedAt }, "not-understood", parsed.problems);
    log.warn("put an event that cannot be understood into quarantine", {
      appId,
      trigger,
      problems: parsed.problems
        .map(({ path, expected, found }) => `${path}: ${expected}, not ${found}`)
        .join("; "),
    });
    count("DeliveryQuarantined", { appId });
    return;
  }

  const { event } = parsed;
  const { expiresAfterMs } = event.head;
  await runTriggers(triggers, event, async (name) => {
    const chat = await chatOf(appId);
    const effects = createEffects({
      store,
      messages: chat.messages,
      key: `${key} ${name}`,
      expiresAfterMs,
      attempt,
      deadlineMs,
    });
    return { event, chat, log, effects };
  });
  log.info("handled an event", { appId, trigger, attempt, sinceReceivedMs: now() - receivedAt });
}
