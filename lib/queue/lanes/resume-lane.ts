import { parseJson } from "../../base/json.ts";
import type { AppHealth } from "../../effects/health/app-health.ts";
import { type Attempt, type AttemptOutcome, eventLimitMs } from "./attempt.ts";
import { buryEvent } from "./bury-event.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { LaneServices } from "./lane-services.ts";
import { headOf, type LaneHead, LaneLostError } from "./lane-store.ts";
import { readOutageRoom } from "./outage-room.ts";
import { pauseOfLane } from "./pause-of-lane.ts";
import { makeSureOfWaking, toGuest } from "./pause-wait.ts";
import { maxTries } from "./progress.ts";
import type { Ticket } from "./ticket.ts";
import { readTriggerMemory, type TriggerMemory } from "./trigger-memory.ts";

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

/** A lane that nobody wakes, because what it waited for is over, goes on after 5 s. */
const firstRestMs = 5_000;

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
  // Neither a pause nor hours in which nothing could be tried count as waiting: the maximum wait begins again.
  const wasPaused = lane.heldBy !== undefined && readOutageRoom(lane.heldBy) === undefined;
  if (wasPaused || now() - lane.wakeAt > idleMs) {
    const since = now();
    const head = lane.head && { ...lane.head, since };
    lane = await store.update(id, owner, { since, heldBy: "", head });
  }
  if (lane.wakeAt > now()) return lane.wakeAt;
  await health.markTrouble();
  const memory = await readTriggerMemory(ticket.lane, services);

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
      const head = headOf(record, lane, now());
      const of = { ticket, health, laneSince: lane.since ?? 0, maxTries: memory?.maxTries() ?? maxTries };
      const outcome = await attemptParked(record, head, owner, of, memory, services);
      // What is not written down now looks like the death of the process, and would count as a try.
      const settle = (write: () => Promise<unknown>) => insist(write, deadlineMs, services);
      if (outcome.kind === "wait") {
        const { progress, wakeAt, room } = outcome;
        if (room === undefined) {
          await settle(() => store.update(id, owner, { wakeAt, heldBy: "", head: { ...head, progress } }));
          return wakeAt;
        }
        const hold = { id: room };
        await settle(() => pauseWait.enter(ticket.appId, hold, toGuest(ticket)));
        // Whoever is woken goes on at once.
        const state = { wakeAt: now(), heldBy: room, head: { ...head, progress } };
        await settle(() => store.update(id, owner, state));
        if (await pauseWait.isWatched(ticket.appId, hold)) return undefined;
        // The destination answered somebody meanwhile.
        return Math.min(wakeAt, now() + firstRestMs);
      }
      await settle(() => store.remove(id, record));
    }
    lane = await store.update(id, owner, { wakeAt: now() });
  }
}

async function attemptParked(
  record: LaneRecord,
  head: LaneHead,
  owner: string,
  of: Pick<Attempt, "ticket" | "health" | "laneSince" | "maxTries">,
  memory: TriggerMemory | undefined,
  services: LaneServices,
): Promise<AttemptOutcome> {
  const { ticket } = of;
  const { progress, since } = head;
  const attempt: Attempt = {
    record,
    laneId: ticket.lane.id,
    message: parseJson(record.messageBody),
    progress,
    since,
    ...of,
  };
  if (progress.deaths < maxTries) {
    // Should the process die, this is what is found.
    const begun = { ...progress, deaths: progress.deaths + 1 };
    await services.store.update(ticket.lane.id, owner, { head: { ...head, progress: begun } });
  }
  const outcome = await services.attemptEvent(attempt);
  if (outcome.kind === "done") await memory?.noteDone(progress);
  if (outcome.kind !== "bury") return outcome;
  const buried = await buryEvent(ticket.lane, attempt, outcome, services).catch(async (error: unknown) => {
    // The process did not die, and what the event is buried for need not be found out again.
    await services.store.update(ticket.lane.id, owner, { head: { ...head, progress: outcome.progress } });
    throw error;
  });
  if (buried.kind === "done" && outcome.reason === "tries") await memory?.noteGivenUp();
  return buried;
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
