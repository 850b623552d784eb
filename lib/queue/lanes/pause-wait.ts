import type { HealthStore } from "../../effects/health/health-store.ts";
import type { PauseStore } from "../pauses/pause-store.ts";
import type { Guest, WaitingRoom } from "../pauses/waiting-room.ts";
import { readOutageRoom } from "./outage-room.ts";
import type { SendPauseTicket } from "./pause-ticket.ts";
import type { SendTicket, Ticket } from "./ticket.ts";

/** What something waits for the end of: a pause, or an outage by the name of its room (lib/queue/lanes/outage-room.ts). */
export interface Hold {
  readonly id: string;
}

/**
 * How something waits for the end of a pause or an outage: it enters the waiting room, is left as whoever wakes it expects it, and then makes
 * sure. Both throw AwsCallError; both may be repeated.
 */
export interface PauseWait {
  enter(appId: string, hold: Hold, guest: Guest): Promise<void>;
  /**
   * Looks, after the guest was left, whether the pause or outage goes on and somebody looks after its end. False where it is over: then
   * perhaps nobody wakes the guest, and the caller has to. Whoever ends a pause takes the setting away and then looks into the
   * room; here it is the other way round, so that one of the two sees the other. So it is with an outage, which a success ends.
   */
  isWatched(appId: string, hold: Hold): Promise<boolean>;
}

/** Whoever looks after a pause's end says so every 20 s; one that was silent for so long may have been lost. */
export const silentMs = 90_000;

/** Makes it for one invocation: what was seen of a watch is not asked for again. */
export function createPauseWait(services: {
  readonly pauseStore: Pick<PauseStore, "read">;
  /** Default: nothing here waits for an outage's end. */
  readonly healthStore?: Pick<HealthStore, "read">;
  readonly room: WaitingRoom;
  readonly sendPauseTicket: SendPauseTicket;
  readonly now: () => number;
}): PauseWait {
  const { pauseStore, healthStore, room, sendPauseTicket, now } = services;
  const watched = new Set<string>();

  const goesOn = async (appId: string, id: string): Promise<boolean> => {
    const outage = readOutageRoom(id);
    if (outage === undefined)
      return [...(await pauseStore.read(appId)).values()].some((pause) => pause.id === id);
    const known = await healthStore?.read(appId);
    return known?.destinations.get(outage.destination)?.sinceMs === outage.sinceMs;
  };

  return {
    enter: (appId, { id: pauseId }, guest) => room.enter({ appId, pauseId }, guest),
    isWatched: async (appId, { id: pauseId }) => {
      if (!(await goesOn(appId, pauseId))) return false;
      if (watched.has(pauseId)) return true;
      const of = { appId, pauseId };
      const watch = await room.watch(of);
      if (watch === undefined || watch.isOver || now() - watch.seenMs > silentMs) {
        await sendPauseTicket(of);
        // All are to be woken, also those that a version before outages had rooms woke too early.
        await room.noteWatch(of, { isOver: false, wokenTo: "" });
      }
      watched.add(pauseId);
      return true;
    },
  };
}

/** Writes a lane as whoever wakes it finds it (pure). */
export function toGuest({ lane: { source, group, trigger } }: Ticket): Guest {
  return { kind: "lane", source, group, ...(trigger !== undefined && { trigger }) };
}

/** Makes sure that a parked lane is woken: by the end of what it waits for, or by a ticket of its own. */
export async function makeSureOfWaking(
  ticket: Ticket,
  hold: Hold | undefined,
  { pauseWait, sendTicket }: { readonly pauseWait: PauseWait; readonly sendTicket: SendTicket },
): Promise<void> {
  if (hold !== undefined && (await pauseWait.isWatched(ticket.appId, hold))) return;
  // Without the lease under which it may have come: whom the queue wakes is the deployment.
  await sendTicket({ appId: ticket.appId, lane: ticket.lane });
}
