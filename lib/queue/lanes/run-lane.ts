import { parseJson } from "../../base/json.ts";
import type { AppHealth } from "../../effects/health/app-health.ts";
import { type Attempt, eventLimitMs, type LaneServices } from "./attempt.ts";
import { deadLetterEvent } from "./dead-letter-event.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { NewlyParked, ParkedLane } from "./lane-store.ts";
import { appendToLane, parkLane } from "./park-lane.ts";
import { pauseOfLane } from "./pause-wait.ts";
import { noProgress } from "./progress.ts";
import type { Ticket } from "./ticket.ts";

export interface LaneRun {
  readonly ticket: Ticket;
  readonly records: readonly LaneRecord[];
  /** The first record was received before without a recorded outcome: a process crashed on the lane. */
  readonly isSuspect: boolean;
  readonly parked: ParkedLane | undefined;
  readonly health: AppHealth;
  /** Milliseconds since 1970: the function's time-out. */
  readonly deadlineMs: number;
}

/**
 * In order; parks the lane with the rest at the first failure. A lane on which a process crashed is parked
 * immediately, so that it runs alone. Then the queue may delete all records.
 * @throws AwsCallError, LaneLostError if a table or queue rejected a write; `onHandled` has then reported
 * which are done
 */
export async function runLane(
  run: LaneRun,
  services: LaneServices,
  onHandled: (record: LaneRecord) => void,
): Promise<void> {
  const { ticket, parked, isSuspect, health, deadlineMs } = run;
  const { log, now } = services;
  const park = (records: readonly LaneRecord[], state: NewlyParked) =>
    parkLane(ticket, records, state, health, services);
  let { records } = run;

  if (parked !== undefined) {
    await health.markParked(ticket.lane.id);
    records = await appendToLane(ticket, records, parked, isSuspect, health, services);
  }
  const [first] = records;
  if (first === undefined) return;
  if (isSuspect && parked === undefined) {
    log.warn("a process ended while it had this event; it goes on alone", {
      queueMessageId: first.messageId,
    });
    const progress = { ...noProgress, deaths: 1 };
    const head = { sequence: first.sequence, progress, since: now() };
    return park(records, { wakeAt: now(), head });
  }

  for (const [index, record] of records.entries()) {
    const left = records.slice(index);
    const isPaused = (await pauseOfLane(ticket.lane, health)) !== undefined;
    if (isPaused || now() + eventLimitMs > deadlineMs) {
      return park(left, { wakeAt: now(), head: undefined });
    }
    const begunAt = now();
    const attempt: Attempt = {
      record,
      laneId: ticket.lane.id,
      ticket,
      message: parseJson(record.messageBody),
      progress: noProgress,
      health,
      isFresh: true,
      since: begunAt,
      laneSince: begunAt,
    };
    let outcome = await services.attemptEvent(attempt);
    if (outcome.kind === "dead-letter")
      outcome = await deadLetterEvent(ticket.lane, attempt, outcome, services);
    if (outcome.kind === "wait") {
      const { progress, wakeAt, room } = outcome;
      const held = room !== undefined && { heldBy: room };
      return park(left, {
        wakeAt,
        ...held,
        head: { sequence: record.sequence, progress, since: attempt.since },
      });
    }
    onHandled(record);
  }
}
