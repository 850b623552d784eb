import type { Attempt } from "./attempt.ts";
import { laneOf } from "./lane-record.ts";
import type { LaneStore } from "./lane-store.ts";
import { appendToLane, type ParkServices, parkLane } from "./park-lane.ts";
import type { Ticket } from "./ticket.ts";

/** An event's way into the lane of one trigger, beside the lane that it came in. */
export interface SideLanes {
  /**
   * Puts an event behind those that wait for a trigger alone, because the trigger is paused or has not caught up yet; false
   * where it may act. The event's own lane goes on without it. May be repeated: the event has the same place.
   * @param finished the steps that the trigger's lane need not take
   * @throws AwsCallError, LaneLostError when table or queue did not take something; the step is then not done
   */
  putBeside(attempt: Attempt, triggerName: string, finished: readonly string[]): Promise<boolean>;
}

/**
 * Makes it. Why no event of a trigger overtakes one that waits: both are events of one lane, so that the later one is begun
 * only when the earlier one was put here, and the mark of parked lanes was written before (lib/health/parked-marks.ts).
 */
export function createSideLanes(services: ParkServices & { readonly store: LaneStore }): SideLanes {
  const { store, now } = services;
  return {
    putBeside: async (attempt, triggerName, finished) => {
      const { health, progress } = attempt;
      const ticket = ticketBeside(attempt.ticket, triggerName);
      const { id } = ticket.lane;
      const isPaused = async () =>
        (await health.pauseOf({ kind: "trigger", name: triggerName })) !== undefined;
      const parked = health.mayBeParked(id) ? (await store.find([id])).get(id) : undefined;
      if (parked === undefined && !(await isPaused())) return false;

      const record = { ...attempt.record, finished };
      if (parked !== undefined) {
        await health.markParked(id);
        // Whoever was at this event before may have died between parking the lane and having it woken.
        const mayHaveNoTicket = progress.deaths > 0 || progress.waits > 0;
        const left = await appendToLane(ticket, [record], parked, mayHaveNoTicket, health, services);
        if (left.length === 0) return true;
        // It has caught up meanwhile.
        if (!(await isPaused())) return false;
      }
      await parkLane(ticket, [record], { wakeAt: now(), head: undefined }, health, services);
      return true;
    },
  };
}

/** Gives the ticket of the lane in which a trigger's events wait, beside another lane (pure). */
export function ticketBeside({ appId, lane: { source, group } }: Ticket, triggerName: string): Ticket {
  return { appId, lane: laneOf(source, group, triggerName) };
}
