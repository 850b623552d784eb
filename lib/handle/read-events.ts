import type { Count } from "../base/count-metric.ts";
import { sha256Hex } from "../base/digest.ts";
import { PermanentError } from "../base/errors.ts";
import { parseJson, readText } from "../base/json.ts";
import { createHint, type HintTools, type Log } from "../base/log.ts";
import { outcomeFields } from "../effects/outcomes.ts";
import type { AppEvent } from "../events/app-event.ts";
import { reconcileWebhook, retryWindowMs } from "../events/occurrence.ts";
import { parseEvent } from "../events/parse-event.ts";
import { describeProblems, type Oddity } from "../events/problems.ts";
import { suggestTrigger } from "../events/suggest-trigger.ts";
import type { Attempt } from "../queue/lanes/lane-services.ts";
import type { Quarantine } from "../queue/quarantine.ts";
import type { QueuedEvent } from "../queue/queued-event.ts";
import { bytesOf, readQueuedEvent } from "../queue/read-queued-event.ts";
import { createDetectAlternation } from "../receive/detect-alternation.ts";
import { type CallTracker, readCallCheck } from "./phone-calls/call-tracker.ts";

export interface ReadingServices {
  readonly calls: CallTracker;
  readonly quarantine: Quarantine;
  readonly notices: EventNotices;
  readonly log: Log;
  readonly count: Count;
}

/**
 * Also adds derived events. Repeatable.
 * @returns undefined if the message was quarantined
 * @throws PermanentError for a message of another system, AwsCallError
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

/** The schema's own error would quote the message. */
function readMessage(message: unknown): QueuedEvent {
  try {
    return readQueuedEvent(message);
  } catch {
    throw new PermanentError(
      "The queue holds a message that is no event of version 1. Only the receiver may write to it.",
    );
  }
}

/** Names are the catalogue's: a metric has them as dimension. */
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

/** Reports anomalies, even of handled events. Never throws. */
type EventNotices = ReturnType<typeof createEventNotices>;

type Delivered = Pick<QueuedEvent, "appId" | "family" | "trigger" | "key" | "canRecur" | "receivedAt">;

const maxFacts = 1_000;

/**
 * Knows only this process's events, and the queue drops most repetitions within five minutes: a single
 * anomaly may be missed, a lasting one is not.
 */
export function createEventNotices(tools: HintTools) {
  const { now, count } = tools;
  const hint = createHint(tools);
  const noteEngine = createDetectAlternation(now);
  const facts = new Map<string, { readonly queueMessageId: string; readonly receivedAt: number }>();

  const noteFact = ({ appId, key, canRecur, receivedAt }: Delivered, queueMessageId: string): void => {
    const name = key.length > 100 ? sha256Hex(key) : key;
    const known = facts.get(name);
    const isRepeated =
      known !== undefined &&
      known.queueMessageId !== queueMessageId &&
      (canRecur !== true || Math.abs(receivedAt - known.receivedAt) <= retryWindowMs);
    if (isRepeated) count("DeliveryRepeated", { appId });
    else {
      facts.delete(name);
      facts.set(name, { queueMessageId, receivedAt });
      const [oldest] = facts.keys();
      if (facts.size > maxFacts && oldest !== undefined) facts.delete(oldest);
    }
  };

  const noteFamily = ({ appId, family, trigger }: Delivered): void => {
    if (family !== "webhook" && family !== "legacy") return;
    if (noteEngine(appId, family) === undefined) return;
    hint("TwoEngines", appId, "both engines deliver for one app: a message comes as two events", { trigger });
  };

  return {
    delivered: (
      event: Delivered,
      { queueMessageId, body }: { readonly queueMessageId: string; readonly body: unknown },
    ) => {
      // Reconcile repeats messages intentionally.
      if (readText(body, "webhook") === reconcileWebhook) return;
      noteFact(event, queueMessageId);
      noteFamily(event);
    },
    unknownTrigger: (appId: string, trigger: string) => {
      const suggestion = suggestTrigger(trigger)?.reason ?? "It may be new; only handlers of * see it.";
      const text = "got an event whose name is not in the catalogue";
      hint("TriggerUnknown", appId, text, { trigger, suggestion });
    },
    unknownShadow: (appId: string, triggerName: string) => {
      hint("ShadowUnknown", appId, "a trigger is set to be in shadow, and there is none of that name", {
        triggerName,
      });
    },
  };
}
