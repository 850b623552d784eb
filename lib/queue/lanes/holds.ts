import type { AppHealth } from "../../effects/health/app-health.ts";
import type { HealthStore } from "../../effects/health/health-store.ts";
import type { Pause } from "../../effects/health/pause-settings.ts";
import type { PauseStore } from "../pauses/pause-store.ts";
import type { Waiter, WaitingRoom } from "../pauses/waiting-room.ts";
import type { Lane } from "./lane-record.ts";
import { readOutageRoom } from "./outage-room.ts";
import type { SendRoomTicket, SendTicket, Ticket } from "./ticket.ts";

/**
 * A lane waits for a pause or outage in its room, without a ticket. Usage: enter the room, store the
 * waiter's state, then call `ensureWatched`. Repeatable. @throws AwsCallError
 */
export type Holds = ReturnType<typeof createHolds>;

/** A watching process writes every 20 s, and is replaced after this time without a write. */
export const silentMs = 90_000;

/** Made for each invocation, because it caches which rooms are watched. */
export function createHolds(services: {
  readonly pauseStore: Pick<PauseStore, "read">;
  readonly healthStore: Pick<HealthStore, "read">;
  readonly room: WaitingRoom;
  readonly sendRoomTicket: SendRoomTicket;
  readonly now: () => number;
}) {
  const { pauseStore, healthStore, room, sendRoomTicket, now } = services;
  const watched = new Set<string>();

  const goesOn = async (appId: string, id: string): Promise<boolean> => {
    const outage = readOutageRoom(id);
    if (outage === undefined)
      return [...(await pauseStore.read(appId)).values()].some((pause) => pause.id === id);
    const { destinations } = await healthStore.read(appId);
    return destinations.get(outage.destination)?.sinceMs === outage.sinceMs;
  };

  return {
    enter: (appId: string, pauseId: string, waiter: Waiter) => room.enter({ appId, pauseId }, waiter),
    /**
     * Returns false if the pause or outage is over: the caller must wake the waiter. Ending deletes the
     * setting and then reads the room; entering does the reverse, so one of both sees the other.
     */
    ensureWatched: async (appId: string, pauseId: string) => {
      if (!(await goesOn(appId, pauseId))) return false;
      // Apps may share an outage's id.
      const name = `${appId} ${pauseId}`;
      if (watched.has(name)) return true;
      const roomKey = { appId, pauseId };
      const watch = await room.watch(roomKey);
      if (watch === undefined || watch.isOver || now() - watch.seenMs > silentMs) {
        await sendRoomTicket(roomKey);
        await room.noteWatch(roomKey, { isOver: false });
      }
      watched.add(name);
      return true;
    },
  };
}

export function toWaiter({ lane: { source, group, trigger } }: Ticket): Waiter {
  return { kind: "lane", source, group, trigger };
}

/** True if it sent a ticket. */
export async function scheduleWake(
  ticket: Ticket,
  roomId: string | undefined,
  { holds, sendTicket }: { readonly holds: Holds; readonly sendTicket: SendTicket },
): Promise<boolean> {
  if (roomId !== undefined && (await holds.ensureWatched(ticket.appId, roomId))) return false;
  // Without the lease of the process it may have come from, the queue wakes the deployment.
  await sendTicket({ appId: ticket.appId, lane: ticket.lane });
  return true;
}

/** Of the lane's app or trigger. @throws AwsCallError, PauseSettingError */
export async function pauseOfLane(
  { trigger }: Pick<Lane, "trigger">,
  health: Pick<AppHealth, "pauseOfApp" | "pauseOf">,
): Promise<Pause | undefined> {
  const ofApp = await health.pauseOfApp();
  if (ofApp !== undefined || trigger === undefined) return ofApp;
  return health.pauseOf({ kind: "trigger", name: trigger });
}
