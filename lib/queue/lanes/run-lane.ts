import { parseJson } from "../../base/json.ts";
import type { AppHealth } from "../../effects/health/app-health.ts";
import { type OutcomeFields, outcomeFields } from "../../effects/outcomes.ts";
import { factsOf } from "../read-queued-event.ts";
import { deadLetterEvent } from "./dead-letter-event.ts";
import { pauseOfLane } from "./holds.ts";
import type { LaneRecord } from "./lane-record.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs, type LaneServices } from "./lane-services.ts";
import type { NewlyParked, ParkedLane } from "./lane-store.ts";
import { appendToLane, parkLane } from "./park-lane.ts";
import { maxTries, noProgress } from "./progress.ts";
import type { Ticket } from "./ticket.ts";

export interface LaneRun {
  readonly ticket: Ticket;
  readonly records: readonly LaneRecord[];
  /** True if the first record was received before and has no recorded outcome. */
  readonly isInterrupted: boolean;
  readonly parked: ParkedLane | undefined;
  readonly health: AppHealth;
  /** The end of the function's time. */
  readonly deadlineMs: number;
  /** Ids of records that are done. `runLane` adds them. */
  readonly handled: Set<string>;
}

/**
 * Runs the records in order. Parks the lane with the remaining records at the first event that must wait, or
 * at once if the first record was received before: a crashing event then runs alone. The queue may then
 * delete all records.
 * @throws AwsCallError, LaneLostError
 */
export async function runLane(run: LaneRun, services: LaneServices): Promise<void> {
  const { ticket, parked, isInterrupted, health, deadlineMs, handled } = run;
  const { log, now } = services;
  const park = (records: readonly LaneRecord[], state: NewlyParked) =>
    parkLane(ticket, records, state, health, services);
  if (parked !== undefined) await health.markParked(ticket.lane.id);
  const records =
    parked === undefined
      ? run.records
      : await appendToLane(ticket, run.records, parked, isInterrupted, health, services);
  const behind = run.records.filter((record) => !records.includes(record));
  logWaits(behind, outcomeFields("waiting", { cause: "earlier events of its conversation wait" }), log);
  const left = [...records];
  const [first] = left;
  if (first === undefined) return;
  if (isInterrupted && parked === undefined) {
    const { messageId: queueMessageId, messageBody, sequence } = first;
    const { deliveryKey } = factsOf(parseJson(messageBody)) ?? {};
    log.warn("an attempt ended without a result; its event goes on alone", {
      appId: ticket.appId,
      deliveryKey,
      laneId: ticket.lane.id,
      queueMessageId,
      ...outcomeFields("interrupted"),
    });
    const suspectsTo = left.at(-1)?.sequence;
    const head = { sequence, progress: { ...noProgress, deaths: 1 }, since: now(), suspectsTo };
    return park(left, { wakeAt: now(), head });
  }

  for (const record of records) {
    const isPaused = (await pauseOfLane(ticket.lane, health)) !== undefined;
    if (isPaused) logWaits(left, outcomeFields("paused", { cause: "Its app" }), log);
    if (isPaused || now() + eventLimitMs > deadlineMs) {
      return park(left, { wakeAt: now(), head: undefined });
    }
    const since = now();
    const outcome = await attemptFresh(record, since, run, services);
    if (outcome.kind === "wait") {
      const { progress, wakeAt, room } = outcome;
      const head = { sequence: record.sequence, progress, since };
      return park(left, { wakeAt, heldBy: room, head });
    }
    handled.add(record.messageId);
    left.shift();
  }
}

function logWaits(records: readonly LaneRecord[], outcome: OutcomeFields, log: LaneServices["log"]): void {
  for (const { messageId: queueMessageId, messageBody } of records)
    log.debug("an event waits", { ...factsOf(parseJson(messageBody)), queueMessageId, ...outcome });
}

async function attemptFresh(
  record: LaneRecord,
  since: number,
  { ticket, health, parked }: LaneRun,
  services: LaneServices,
): Promise<AttemptOutcome> {
  const attempt: Attempt = {
    record,
    ticket,
    health,
    since,
    laneSince: since,
    message: parseJson(record.messageBody),
    progress: noProgress,
    maxTries,
    isFresh: true,
    wasParked: parked !== undefined,
  };
  const outcome = await services.attemptEvent(attempt);
  if (outcome.kind !== "dead-letter") return outcome;
  await deadLetterEvent(attempt, outcome, services);
  return { kind: "done" };
}
