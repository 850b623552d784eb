import type { Count } from "../count-metric.ts";
import { describeError } from "../describe-error.ts";
import type { EffectsStore } from "../effects/effects-store.ts";
import { type BuriedMessage, maxAttempts } from "../event-queue/bury.ts";
import type { Quarantine } from "../event-queue/quarantine.ts";
import { bytesOf, readQueuedEvent } from "../event-queue/read-queued-event.ts";
import { parseEvent } from "../events/parse-event.ts";
import { suggestTrigger } from "../events/suggest-trigger.ts";
import { parseJson } from "../json.ts";
import type { Log } from "../log.ts";
import { readCallCheck } from "../phone-calls/call-check.ts";
import type { CallTracker } from "../phone-calls/call-tracker.ts";
import { actOnEvents } from "./act-on-events.ts";
import type { TriggerTable } from "./run-triggers.ts";
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
  readonly calls: CallTracker;
  readonly store: EffectsStore;
  readonly quarantine: Quarantine;
  readonly bury: (message: BuriedMessage) => Promise<void>;
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
  /** Unix milliseconds after which nothing is started: the function's time is then up. */
  readonly deadlineMs: number;
}

/** Thrown for an event that was not begun, because the function's time is nearly up; the queue hands it out again. */
export class OutOfTimeError extends Error {
  override readonly name = "OutOfTimeError";

  constructor(messageId: string) {
    super(
      `No time was left to begin with message ${messageId}. If this happens often, raise the consumer's timeout.`,
    );
  }
}

/**
 * Handles one event: parse, then the triggers that match. An event that cannot be understood goes into quarantine;
 * one that fails for the last time is buried here, and not by the queue, so that its lane goes on at once: events
 * waiting behind it have been handed out as often as it has, and the queue would bury them too, never handled.
 * May be repeated: what triggers do through `effects` happens once.
 * @throws OutOfTimeError, TriggersFailedError and what reaching the table, the secret or a queue throws; the event is then handed out again
 */
export async function processEvent(handedOut: HandedOut, services: ProcessEventServices): Promise<void> {
  const { messageId, messageBody, attempt } = handedOut;
  const { bury, log, now, deadlineMs } = services;
  if (now() >= deadlineMs) throw new OutOfTimeError(messageId);
  try {
    const message = parseJson(messageBody);
    const check = readCallCheck(message);
    await (check === undefined
      ? handleEvent(message, attempt, services)
      : services.calls
          .summarise(check)
          .then((summary) => actOnEvents(summary, { ...check, attempt }, services)));
  } catch (error) {
    const cause = describeError(error);
    log.error("could not handle an event", { messageId, attempt, cause });
    if (attempt < maxAttempts) throw error;
    await bury({ ...handedOut, cause });
    log.error("moved an event to the dead-letter queue", { messageId, attempt });
  }
}

async function handleEvent(message: unknown, attempt: number, services: ProcessEventServices): Promise<void> {
  const { calls, quarantine, log, count, now } = services;
  const queued = readQueuedEvent(message);
  const { appId, trigger, key, receivedAt } = queued;
  const bytes = bytesOf(queued);

  const parsed = parseEvent(parseJson(bytes.toString("utf8")), { appId, fallback: () => key });
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
  if (event.kind === "unknown") warnOfUnknown(event.trigger, appId, log);
  const derived = await calls.note(event, { appId, receivedAt });
  await actOnEvents([event, ...derived], { appId, receivedAt, attempt }, services);
  log.info("handled an event", { appId, trigger, attempt, sinceReceivedMs: now() - receivedAt });
}

/** Somebody may have registered a name that the platform does not have; only `*` handlers see such an event. */
function warnOfUnknown(trigger: string, appId: string, log: Log): void {
  const suggestion = suggestTrigger(trigger)?.reason ?? "It may be new; only handlers of * see it.";
  log.warn("got an event whose name is not in the catalogue", { appId, trigger, suggestion });
}
