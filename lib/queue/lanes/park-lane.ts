import type { AppHealth } from "../../effects/health/app-health.ts";
import { pauseOfLane, scheduleWake, toWaiter } from "./holds.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { LaneServices } from "./lane-services.ts";
import { LaneLostError, type NewlyParked, type ParkedLane } from "./lane-store.ts";
import { isGoingOn, outageRoomOf, readOutageRoom } from "./outage-room.ts";
import type { Ticket } from "./ticket.ts";

export type ParkServices = Pick<LaneServices, "store" | "sendTicket" | "holds" | "now">;

/**
 * Stores a lane's events in order, until a ticket, or the end of a pause or outage, wakes the lane. The queue
 * may then delete them. Repeatable, also after a crash half-way: events keep their places, and a second
 * ticket is harmless.
 * @throws AwsCallError, LaneLostError if the lane was resumed meanwhile. The events must stay in the queue
 * then.
 */
export async function parkLane(
  ticket: Ticket,
  records: readonly LaneRecord[],
  parked: NewlyParked,
  health: ParkingHealth,
  services: ParkServices,
): Promise<void> {
  const { store, holds, now } = services;
  const { id } = ticket.lane;
  const { heldBy: ofOutage, ...state } = parked;
  const roomId = (await pauseOfLane(ticket.lane, health))?.id ?? ofOutage;
  // The process that gets the lane's next events must know to read the lane.
  await health.markParked(id);
  // From now on successes are counted, to find which lanes fail.
  await health.markTrouble();
  // Before the lane's state: a ticket could find the lane empty and unpark it.
  for (const record of records) await store.put(id, record);
  // Before the lane's state, which processes that append rely on.
  if (roomId !== undefined) await holds.enter(ticket.appId, roomId, toWaiter(ticket));
  // A lane that is woken continues at once.
  const held = roomId !== undefined && { heldBy: roomId, wakeAt: now() };
  const [first] = records;
  if (!(await store.park(id, { ...state, since: state.since ?? now(), ...held }))) {
    for (const record of records) {
      if (!(await store.append(id, record))) throw new LaneLostError(id);
    }
  } else if (first !== undefined && ticket.lane.trigger !== undefined) {
    // These were handled in the conversation's lane, because this lane's state could not be written.
    await store.removeBefore(id, first);
  }
  await scheduleWake(ticket, roomId, services);
}

export type ParkingHealth = Pick<
  AppHealth,
  "markParked" | "markTrouble" | "pauseOfApp" | "pauseOf" | "outageOf"
>;

/** A ticket that is this late is probably lost. */
const overdueMs = 5 * 60_000;
/** A ticket that an append sent may wait behind those of many lanes. */
const longestTurnMs = 60 * 60_000;

/**
 * Returns the records that were not appended because the lane was resumed.
 * @param mayHaveNoTicket true if the parking process may have died before sending one
 */
export async function appendToLane(
  ticket: Ticket,
  records: readonly LaneRecord[],
  parked: ParkedLane,
  mayHaveNoTicket: boolean,
  health: ParkingHealth,
  services: ParkServices,
): Promise<readonly LaneRecord[]> {
  const { store, holds, now } = services;
  for (const [index, record] of records.entries()) {
    if (!(await store.append(ticket.lane.id, record))) return records.slice(index);
  }
  const outage = readOutageRoom(parked.heldBy ?? "");
  const roomId =
    (await pauseOfLane(ticket.lane, health))?.id ??
    (outage !== undefined && isGoingOn(outage, health) ? outageRoomOf(outage) : undefined);
  // A frozen process may park a lane too late to send a ticket.
  const wasSent = now() <= (parked.ticketAt ?? Number.NEGATIVE_INFINITY) + longestTurnMs;
  const hasTicket = wasSent || (parked.wasTaken === true && now() <= parked.wakeAt + overdueMs);
  const isHeld = roomId !== undefined && parked.heldBy === roomId;
  if (mayHaveNoTicket || !(hasTicket || isHeld)) {
    if (roomId !== undefined) await holds.enter(ticket.appId, roomId, toWaiter(ticket));
    if (await scheduleWake(ticket, roomId, services)) await store.noteTicket(ticket.lane.id);
  }
  return [];
}
