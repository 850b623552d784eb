import type { AppHealth } from "../../effects/health/app-health.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { LaneServices } from "./lane-services.ts";
import { LaneLostError, type NewlyParked, type ParkedLane } from "./lane-store.ts";
import { isGoingOn, outageRoomOf, readOutageRoom } from "./outage-room.ts";
import { pauseOfLane } from "./pause-of-lane.ts";
import { type Hold, makeSureOfWaking, toGuest } from "./pause-wait.ts";
import type { Ticket } from "./ticket.ts";

export type ParkServices = Pick<LaneServices, "store" | "sendTicket" | "pauseWait" | "now">;

/**
 * Parks a lane: its events wait on the table, in order, and a ticket wakes it, or the end of the pause or outage
 * that it waits for. After it the queue may forget the events.
 * May be repeated, also after it died half-way: the events have the same places, and a second ticket is no harm.
 * @throws AwsCallError when table or queue did not take something, LaneLostError when the lane was let flow meanwhile;
 * the events must then stay in the queue
 */
export async function parkLane(
  ticket: Ticket,
  records: readonly LaneRecord[],
  parked: NewlyParked,
  health: ParkingHealth,
  services: ParkServices,
): Promise<void> {
  const { store, pauseWait, now } = services;
  const { id } = ticket.lane;
  const { heldBy: roomId, ...state } = parked;
  const hold: Hold | undefined =
    (await pauseOfLane(ticket.lane, health)) ?? (roomId === undefined ? undefined : { id: roomId });
  // Whoever has the lane's next events must know that they have to ask for it.
  await health.markParked(id);
  // From here on the app's successes are counted, so that it is known whom a failure concerns.
  await health.markTrouble();
  // The events before the lane: a ticket that is still about could otherwise find the lane empty and let it flow.
  for (const record of records) await store.put(id, record);
  // Before the lane says that it waits: whoever puts an event behind the others relies on it.
  if (hold !== undefined) await pauseWait.enter(ticket.appId, hold, toGuest(ticket));
  // Whoever is woken goes on at once.
  const heldBy = hold && { heldBy: hold.id, wakeAt: now() };
  if (!(await store.park(id, { since: now(), ...state, ...heldBy }))) {
    for (const record of records) {
      if (!(await store.append(id, record))) throw new LaneLostError(id);
    }
  }
  await makeSureOfWaking(ticket, hold, services);
}

/** What parking asks of an app's health. */
export type ParkingHealth = Pick<
  AppHealth,
  "markParked" | "markTrouble" | "pauseOfApp" | "pauseOf" | "outageOf"
>;

/** A parked lane whose ticket is so late may have lost it. */
const overdueMs = 5 * 60_000;

/**
 * Puts events behind those of a parked lane, which keeps it parked; gives those that it could not, because it flows again.
 * @param mayHaveNoTicket whoever parked the lane may have died before sending one
 */
export async function appendToLane(
  ticket: Ticket,
  records: readonly LaneRecord[],
  parked: ParkedLane,
  mayHaveNoTicket: boolean,
  health: ParkingHealth,
  services: ParkServices,
): Promise<readonly LaneRecord[]> {
  const { store, pauseWait, now } = services;
  for (const [index, record] of records.entries()) {
    if (!(await store.append(ticket.lane.id, record))) return records.slice(index);
  }
  const outage = readOutageRoom(parked.heldBy ?? "");
  const hold: Hold | undefined =
    (await pauseOfLane(ticket.lane, health)) ??
    (outage !== undefined && isGoingOn(outage, health) ? { id: outageRoomOf(outage) } : undefined);
  // A process that stood still may park a lane when its time is long over, and has none left to send a ticket.
  const hasTicket = parked.wasTaken === true && now() <= parked.wakeAt + overdueMs;
  const isHeld = hold !== undefined && parked.heldBy === hold.id;
  if (mayHaveNoTicket || !(hasTicket || isHeld)) {
    if (hold !== undefined) await pauseWait.enter(ticket.appId, hold, toGuest(ticket));
    await makeSureOfWaking(ticket, hold, services);
  }
  return [];
}
