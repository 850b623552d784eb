import { outcomeFields } from "../../effects/outcomes.ts";
import { factsOf } from "../message-facts.ts";
import type { Attempt, AttemptOutcome, LaneServices } from "./attempt.ts";
import { conversationOf, type Lane, laneNameOf } from "./lane-record.ts";
import { triggerOfStep } from "./progress.ts";

/** If too many of an app are dead-lettered in a minute: 15 min. */
const heldBackMs = 900_000;

type DeadLetterOutcome = Extract<AttemptOutcome, { kind: "dead-letter" }>;

/**
 * Waits instead, within its maximum wait, if so many of its app are dead-lettered that a larger problem is
 * likely.
 * @throws AwsCallError if the queue did not accept it
 */
export async function deadLetterEvent(
  lane: Lane,
  attempt: Attempt,
  outcome: DeadLetterOutcome,
  { sendDeadLetter, log, now, maxWaitMs }: LaneServices,
): Promise<AttemptOutcome> {
  const { record, message, health, laneSince } = attempt;
  const { progress, reason, cause } = outcome;
  const facts = factsOf(message);
  const fields = {
    ...{ ...facts, reason, queueMessageId: record.messageId, lane: laneNameOf(lane.id) },
    part: lane.trigger,
  };
  const receivedAt = facts?.receivedAt ?? now();
  const isOwn = reason !== "patience" && reason !== "too-old";
  // From the lane's start: refused events would otherwise be delayed one after the other.
  const isWaiting = now() < Math.max(receivedAt, record.replayedAt ?? 0, laneSince) + maxWaitMs;
  if (isOwn && isWaiting && !(await health.mayDeadLetter(conversationOf(lane)))) {
    const wakeAt = now() + heldBackMs;
    log.warn("held an event back from the dead-letter queue: too many of its app go there", {
      ...fields,
      ...outcomeFields("waiting", { cause: "too many events of its app are dead-lettered", untilMs: wakeAt }),
    });
    return { kind: "wait", progress: unfailed(progress), wakeAt };
  }
  const { messageId, messageBody } = record;
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
    receivedAt,
    reason,
    cause,
    tries,
    finished: progress.finished,
  });
  const failed = Object.keys(progress.failed).map(triggerOfStep);
  log.error("moved an event to the dead-letter queue", {
    ...{ ...fields, tries, cause },
    ...outcomeFields("dead-lettered", { cause: [failed.join(", "), cause].filter(Boolean).join(": ") }),
  });
  return { kind: "done" };
}

function unfailed(progress: DeadLetterOutcome["progress"]): DeadLetterOutcome["progress"] {
  const tries = Object.fromEntries(
    Object.entries(progress.tries).filter(([step]) => progress.failed[step] === undefined),
  );
  return { ...progress, deaths: 0, tries, failed: {}, heldBack: true };
}
