import type { AppHealth } from "../health/app-health.ts";
import { parseJson } from "../json.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs } from "./attempt.ts";
import { buryEvent } from "./bury-event.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { LaneServices } from "./lane-services.ts";
import { LaneLostError, type ParkedLane, progressOf } from "./lane-store.ts";
import { pauseOfLane } from "./pause-of-lane.ts";
import { makeSureOfWaking, toGuest } from "./pause-wait.ts";
import { maxTries } from "./progress.ts";
import type { Ticket } from "./ticket.ts";

export interface LaneResumption {
  readonly ticket: Ticket;
  readonly health: AppHealth;
  /** Milliseconds since 1970: the function's time is then up. */
  readonly deadlineMs: number;
}

/** What is left after an event for writing down what became of it. */
const settlingMs = 8_000;
const settlingPauseMs = 250;

/** A ticket comes so late only where nobody could go on with any lane: consumer or table were out. */
const idleMs = 60 * 60_000;

/** How many of a lane's events are read from the table at a time. */
const pageSize = 10;

/**
 * Goes on with a parked lane, one event after the other, until it is empty and flows again, or something has to be
 * waited for; the end of a pause wakes it without a ticket of its own. Before each event the table says that it was begun, so that a process that dies over it is counted.
 * Gives the moment from which the ticket is due again, in milliseconds since 1970; undefined when it is done with.
 * @throws AwsCallError when table or queue did not take something, LaneLostError when somebody else has the lane
 */
export async function resumeLane(
  { ticket, health, deadlineMs }: LaneResumption,
  services: LaneServices,
): Promise<number | undefined> {
  const { store, pauseWait, now, token } = services;
  const { id } = ticket.lane;
  const owner = token();
  await health.markParked(id);
  let lane = await store.take(id, owner);
  if (lane === undefined) return undefined;
  const pause = await pauseOfLane(ticket.lane, health);
  if (pause !== undefined) {
    await pauseWait.enter(ticket.appId, pause, toGuest(ticket));
    await store.update(id, owner, { heldBy: pause.id });
    // From here on the end of the pause stands for this ticket, or else a new one.
    await makeSureOfWaking(ticket, pause, services);
    return undefined;
  }
  // A pause takes nobody's patience: it begins anew, also where it was over before this lane noticed.
  if (lane.heldBy !== undefined) lane = await store.update(id, owner, { since: now(), heldBy: "" });
  if (lane.wakeAt > now()) return lane.wakeAt;
  if (now() - lane.wakeAt > idleMs) lane = await store.update(id, owner, { since: now() });
  await health.markTrouble();

  for (;;) {
    const records = await store.first(id, pageSize);
    if (records.length === 0) {
      if (await store.unpark(id, owner, lane.version)) return undefined;
      // Either somebody put an event behind the last one, or somebody else has the lane.
      lane = await store.update(id, owner, { wakeAt: now() });
      continue;
    }
    for (const record of records) {
      if (now() + eventLimitMs + settlingMs > deadlineMs) return now();
      if ((await pauseOfLane(ticket.lane, health)) !== undefined) return now();
      const outcome = await attemptParked(record, lane, owner, { ticket, health }, services);
      // What is not written down now looks like the death of the process, and would count as a try.
      const settle = (write: () => Promise<unknown>) => insist(write, deadlineMs, services);
      if (outcome.kind === "wait") {
        const { progress, wakeAt } = outcome;
        await settle(() =>
          store.update(id, owner, { wakeAt, head: { sequence: record.sequence, progress } }),
        );
        return wakeAt;
      }
      await settle(() => store.remove(id, record));
    }
    lane = await store.update(id, owner, { wakeAt: now() });
  }
}

async function attemptParked(
  record: LaneRecord,
  lane: ParkedLane,
  owner: string,
  { ticket, health }: Pick<LaneResumption, "ticket" | "health">,
  services: LaneServices,
): Promise<AttemptOutcome> {
  const { sequence } = record;
  const progress = progressOf(record, lane);
  const attempt: Attempt = {
    record,
    laneId: ticket.lane.id,
    ticket,
    message: parseJson(record.messageBody),
    progress,
    health,
    since: lane.since ?? 0,
  };
  if (progress.deaths < maxTries) {
    // Should the process die, this is what is found.
    const begun = { ...progress, deaths: progress.deaths + 1 };
    await services.store.update(ticket.lane.id, owner, { head: { sequence, progress: begun } });
  }
  const outcome = await services.attemptEvent(attempt);
  if (outcome.kind !== "bury") return outcome;
  return buryEvent(ticket.lane, attempt, outcome, services).catch(async (error: unknown) => {
    // The process did not die, and what the event is buried for need not be found out again.
    await services.store.update(ticket.lane.id, owner, { head: { sequence, progress: outcome.progress } });
    throw error;
  });
}

/**
 * Repeats a write that fails, later each time, as long as there is time for it.
 * @throws LaneLostError at once, and what the last try threw
 */
async function insist(
  write: () => Promise<unknown>,
  deadlineMs: number,
  { now, sleep }: Pick<LaneServices, "now" | "sleep">,
): Promise<void> {
  for (let pauseMs = settlingPauseMs; ; pauseMs *= 2) {
    try {
      await write();
      return;
    } catch (error) {
      if (error instanceof LaneLostError || now() + pauseMs >= deadlineMs) throw error;
      await sleep(pauseMs);
    }
  }
}
