import { describeError } from "../describe-error.ts";
import { createEffects } from "../effects/effects.ts";
import type { EffectsStore } from "../effects/effects-store.ts";
import { type BuriedMessage, maxAttempts } from "../event-queue/bury.ts";
import type { Quarantine } from "../event-queue/quarantine.ts";
import { bytesOf, readQueuedEvent } from "../event-queue/read-queued-event.ts";
import { parseEvent } from "../events/parse-event.ts";
import type { Log } from "../log.ts";
import { runTriggers, type TriggerTable } from "./run-triggers.ts";
import type { TriggerChat } from "./trigger-chat.ts";

/** A message of the events queue, as it is handed out. */
export interface HandedOut {
  readonly messageId: string;
  readonly messageBody: string;
  /** Its message group: events of one lane are handled in order. */
  readonly lane: string;
  /** How often it has been handed out, this time included. */
  readonly attempt: number;
}

export interface ProcessEventServices {
  readonly triggers: TriggerTable;
  readonly chatOf: (appId: string) => Promise<TriggerChat>;
  readonly store: EffectsStore;
  readonly quarantine: Quarantine;
  readonly bury: (message: BuriedMessage) => Promise<void>;
  readonly log: Log;
  readonly count: (name: string, dimensions: Readonly<Record<string, string>>) => void;
  readonly now: () => number;
  /** Unix milliseconds after which nothing is started: the function's time is then up. */
  readonly deadlineMs: number;
}

/**
 * Handles one event: parse, then the triggers that match. An event that cannot be understood goes into quarantine;
 * one that fails for the last time is buried here, and not by the queue, so that its lane goes on at once: events
 * waiting behind it have been handed out as often as it has, and the queue would bury them too, never handled.
 * May be repeated: what triggers do through `effects` happens once.
 * @throws TriggersFailedError and what reaching the table, the secret or a queue throws; the event is then handed out again
 */
export async function processEvent(handedOut: HandedOut, services: ProcessEventServices): Promise<void> {
  const { messageId, attempt } = handedOut;
  const { bury, log } = services;
  try {
    await handleEvent(handedOut, services);
  } catch (error) {
    const cause = describeError(error);
    log.error("could not handle an event", { messageId, attempt, cause });
    if (attempt < maxAttempts) throw error;
    await bury({ ...handedOut, cause });
    log.error("moved an event to the dead-letter queue", { messageId, attempt });
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
