import { parseJson } from "../../base/json.ts";
import type { AppHealth } from "../../effects/health/app-health.ts";
import { type Attempt, eventLimitMs } from "./attempt.ts";
import { buryEvent } from "./bury-event.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { LaneServices } from "./lane-services.ts";
import type { NewlyParked, ParkedLane } from "./lane-store.ts";
import { appendToLane, parkLane } from "./park-lane.ts";
import { pauseOfLane } from "./pause-of-lane.ts";
import { noProgress } from "./progress.ts";
import type { Ticket } from "./ticket.ts";

/** One lane's share of a batch. */
export interface LaneRun {
  readonly ticket: Ticket;
  /** In order. */
  readonly records: readonly LaneRecord[];
  /** True where the first record was handed out before, and nobody said what became of it: a process died over the lane. */
  readonly isSuspect: boolean;
  /** What the table says of the lane, if it is parked. */
  readonly parked: ParkedLane | undefined;
  readonly health: AppHealth;
  /** Milliseconds since 1970: the function's time is then up. */
  readonly deadlineMs: number;
}

/**
 * Handles a lane's events one after the other, and parks the lane with all that is left at the first trouble; a lane
 * that a process died over is parked at once, so that it runs alone. After it the queue may forget all the records.
 * @throws AwsCallError, LaneLostError when table or queue did not take something; then `onHandled` has told which are done
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
    if (outcome.kind === "bury") outcome = await buryEvent(ticket.lane, attempt, outcome, services);
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
