import { outcomeFields } from "../../effects/outcomes.ts";
import { factsOf } from "../read-queued-event.ts";
import { conversationOf, laneNameOf } from "./lane-record.ts";
import type { Attempt, AttemptOutcome, DeadLetterReason, LaneServices } from "./lane-services.ts";
import { triggerOfStep } from "./progress.ts";

/** The longest delay between tries if an app has too many dead letters in a minute. */
export const heldBackMs = 900_000;

type DeadLetterOutcome = Extract<AttemptOutcome, { kind: "dead-letter" }>;

/**
 * Returns when to try an event again because so many of the app's events fail; undefined if it may be
 * dead-lettered. Each call counts the event.
 */
export async function heldBackUntil(
  attempt: Attempt,
  reason: DeadLetterReason,
  { log, now, maxWaitMs }: Pick<LaneServices, "log" | "now" | "maxWaitMs">,
): Promise<number | undefined> {
  if (reason === "patience" || reason === "too-old") return undefined;
  const { record, message, health, laneSince, ticket } = attempt;
  const receivedAt = factsOf(message)?.receivedAt ?? now();
  // Counts from the lane's start. Otherwise each refused event would be delayed after the one before.
  const isWaiting = now() < Math.max(receivedAt, record.replayedAt ?? 0, laneSince) + maxWaitMs;
  if (!isWaiting || (await health.mayDeadLetter(conversationOf(ticket.lane)))) return undefined;
  const wakeAt = now() + heldBackMs;
  log.warn("held an event back from the dead-letter queue: too many of its app go there", {
    ...logFieldsOf(attempt, reason),
    ...outcomeFields("waiting", { cause: "too many events of its app are dead-lettered", untilMs: wakeAt }),
  });
  return wakeAt;
}

function logFieldsOf({ record, message, ticket: { lane } }: Attempt, reason: DeadLetterReason) {
  const { messageId: queueMessageId } = record;
  return { ...factsOf(message), reason, queueMessageId, lane: laneNameOf(lane.id), part: lane.trigger };
}

/** @throws AwsCallError */
export async function deadLetterEvent(
  attempt: Attempt,
  { progress, reason, cause }: DeadLetterOutcome,
  { sendDeadLetter, log, now }: Pick<LaneServices, "sendDeadLetter" | "log" | "now">,
): Promise<void> {
  const { lane } = attempt.ticket;
  const { messageId, messageBody } = attempt.record;
  const facts = factsOf(attempt.message);
  const tries = Math.max(
    progress.deaths,
    ...Object.values(progress.tries).map((count) => count + progress.deaths),
  );
  await sendDeadLetter({
    messageId,
    messageBody,
    source: lane.source,
    group: lane.group,
    part: lane.trigger,
    appId: facts?.appId ?? "",
    trigger: facts?.trigger ?? "",
    receivedAt: facts?.receivedAt ?? now(),
    reason,
    cause,
    tries,
    finished: progress.finished,
  });
  const failed = Object.keys(progress.failed).map(triggerOfStep);
  log.error("moved an event to the dead-letter queue", {
    ...logFieldsOf(attempt, reason),
    tries,
    cause,
    ...outcomeFields("dead-lettered", { cause: [failed.join(", "), cause].filter(Boolean).join(": ") }),
  });
}
