import type { Count } from "../base/count-metric.ts";
import { parseJson } from "../base/json.ts";
import type { Log } from "../base/log.ts";
import { PermanentError } from "../base/permanent-error.ts";
import { outcomeFields } from "../effects/outcomes.ts";
import type { AppEvent } from "../events/app-event.ts";
import type { Oddity } from "../events/oddities.ts";
import { parseEvent } from "../events/parse-event.ts";
import { describeProblems } from "../events/problems.ts";
import type { Attempt } from "../queue/lanes/attempt.ts";
import type { Quarantine } from "../queue/quarantine.ts";
import type { QueuedEvent } from "../queue/queued-event.ts";
import { bytesOf, readQueuedEvent } from "../queue/read-queued-event.ts";
import type { EventNotices } from "./event-notices.ts";
import { readCallCheck } from "./phone-calls/call-check.ts";
import type { CallTracker } from "./phone-calls/call-tracker.ts";

export interface ReadingServices {
  readonly calls: CallTracker;
  readonly quarantine: Quarantine;
  readonly notices: EventNotices;
  readonly log: Log;
  readonly count: Count;
}

/**
 * Parses a queue message and adds derived events. Repeatable.
 * @returns undefined if the message was quarantined
 * @throws PermanentError for a message of another system, AwsCallError if a table or queue cannot be reached
 */
export async function readEvents(
  { message, record }: Attempt,
  services: ReadingServices,
): Promise<readonly AppEvent[] | undefined> {
  const { calls, quarantine, notices, log, count } = services;
  const check = readCallCheck(message);
  if (check !== undefined) return calls.summarise(check);

  const queued = readMessage(message);
  const { appId, trigger, key, canRecur = false, receivedAt } = queued;
  const bytes = bytesOf(queued);
  const body = parseJson(bytes.toString("utf8"));
  const { messageId: queueMessageId, replayedAt } = record;
  if (replayedAt === undefined) notices.delivered(queued, { queueMessageId, body });
  const parsed = parseEvent(body, { appId, found: { key, canRecur }, receivedAt });
  if (!parsed.ok) {
    await quarantine({ appId, bytes, receivedAt }, "not-understood", parsed.problems);
    log.warn("put an event that cannot be understood into quarantine", {
      appId,
      trigger,
      deliveryKey: key,
      queueMessageId,
      problems: describeProblems(parsed.problems),
      ...outcomeFields("quarantined", { cause: describeProblems(parsed.problems) }),
    });
    count("DeliveryQuarantined", { appId });
    return undefined;
  }
  const { event, oddities } = parsed;
  if (event.kind === "unknown") notices.unknownTrigger(appId, event.trigger);
  if (oddities.length > 0) logAnomalies(event.trigger, appId, oddities, services);
  return [event, ...(await calls.note(event, { appId, receivedAt }))];
}

/** Hides the schema's own error, which would quote the message. */
function readMessage(message: unknown): QueuedEvent {
  try {
    return readQueuedEvent(message);
  } catch {
    throw new PermanentError(
      "The queue holds a message that is no event of version 1. Only the receiver may write to it.",
    );
  }
}

/** Logs and counts anomalies. Names are the catalogue's: a metric has them as dimension. */
function logAnomalies(
  trigger: string,
  appId: string,
  oddities: readonly Oddity[],
  { log, count }: ReadingServices,
): void {
  const fields = oddities.map(({ path, found }) => `${path}: ${found}`).join("; ");
  log.warn("read an event with unexpected forms of fields", { appId, trigger, fields });
  count("EventOddlyFormed", { trigger });
}
