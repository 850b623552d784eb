import type { AppHealth } from "../health/app-health.ts";
import type { LaneRecord } from "./lane-record.ts";
import type { LaneServices } from "./lane-services.ts";
import { LaneLostError, type NewlyParked, type ParkedLane } from "./lane-store.ts";
import type { Ticket } from "./ticket.ts";

type Services = Pick<LaneServices, "store" | "sendTicket" | "now">;

/**
 * Parks a lane: its events wait on the table, in order, and a ticket wakes it. After it the queue may forget the events.
 * May be repeated, also after it died half-way: the events have the same places, and a second ticket is no harm.
 * @throws AwsCallError when table or queue did not take something, LaneLostError when the lane was let flow meanwhile;
 * the events must then stay in the queue
 */
export async function parkLane(
  ticket: Ticket,
  records: readonly LaneRecord[],
  parked: NewlyParked,
  health: AppHealth,
  { store, sendTicket, now }: Services,
): Promise<void> {
  const { id } = ticket.lane;
  // Whoever has the lane's next events must know that they have to ask for it.
  await health.markParked(id);
  // From here on the app's successes are counted, so that it is known whom a failure concerns.
  await health.markTrouble();
  // The events before the lane: a ticket that is still about could otherwise find the lane empty and let it flow.
  for (const record of records) await store.put(id, record);
  if (!(await store.park(id, { since: now(), ...parked }))) {
    for (const record of records) {
      if (!(await store.append(id, record))) throw new LaneLostError(id);
    }
  }
  await sendTicket(ticket);
}

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
  { store, sendTicket, now }: Services,
): Promise<readonly LaneRecord[]> {
  for (const [index, record] of records.entries()) {
    if (!(await store.append(ticket.lane.id, record))) return records.slice(index);
  }
  // A process that stood still may park a lane when its time is long over, and has none left to send a ticket.
  const hasTicket = parked.wasTaken === true && now() <= parked.wakeAt + overdueMs;
  if (mayHaveNoTicket || !hasTicket) await sendTicket(ticket);
  return [];
}
