import type { Pause } from "../pauses/pause-settings.ts";
import type { PauseStore } from "../pauses/pause-store.ts";
import type { Guest, WaitingRoom } from "../pauses/waiting-room.ts";
import type { SendPauseTicket } from "./pause-ticket.ts";
import type { SendTicket, Ticket } from "./ticket.ts";

/**
 * How something waits for a pause's end: it enters the waiting room, is left as whoever wakes it expects it, and then makes
 * sure. Both throw AwsCallError; both may be repeated.
 */
export interface PauseWait {
  enter(appId: string, pause: Pause, guest: Guest): Promise<void>;
  /**
   * Looks, after the guest was left, whether the pause goes on and somebody looks after its end. False where it is over: then
   * perhaps nobody wakes the guest, and the caller has to. Whoever ends a pause takes the setting away and then looks into the
   * room; here it is the other way round, so that one of the two sees the other.
   */
  isWatched(appId: string, pause: Pause): Promise<boolean>;
}

/** Whoever looks after a pause's end says so every 20 s; one that was silent for so long may have been lost. */
const silentMs = 90_000;

/** Makes it for one invocation: what was seen of a watch is not asked for again. */
export function createPauseWait(services: {
  readonly pauseStore: Pick<PauseStore, "read">;
  readonly room: WaitingRoom;
  readonly sendPauseTicket: SendPauseTicket;
  readonly now: () => number;
}): PauseWait {
  const { pauseStore, room, sendPauseTicket, now } = services;
  const watched = new Set<string>();

  return {
    enter: (appId, pause, guest) => room.enter({ appId, pauseId: pause.id }, guest),
    isWatched: async (appId, { id: pauseId }) => {
      const settings = await pauseStore.read(appId);
      if (![...settings.values()].some(({ id }) => id === pauseId)) return false;
      if (watched.has(pauseId)) return true;
      const of = { appId, pauseId };
      const watch = await room.watch(of);
      if (watch === undefined || now() - watch.seenMs > silentMs) {
        await sendPauseTicket(of);
        await room.noteWatch(of);
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

/** Makes sure that a parked lane is woken: by the end of the pause that it waits for, or by a ticket of its own. */
export async function makeSureOfWaking(
  ticket: Ticket,
  pause: Pause | undefined,
  { pauseWait, sendTicket }: { readonly pauseWait: PauseWait; readonly sendTicket: SendTicket },
): Promise<void> {
  if (pause !== undefined && (await pauseWait.isWatched(ticket.appId, pause))) return;
  // Without the lease under which it may have come: whom the queue wakes is the deployment.
  await sendTicket({ appId: ticket.appId, lane: ticket.lane });
}
