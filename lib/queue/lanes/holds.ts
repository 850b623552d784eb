import type { AppHealth } from "../../effects/health/app-health.ts";
import type { HealthStore } from "../../effects/health/health-store.ts";
import type { Pause } from "../../effects/health/pause-settings.ts";
import type { PauseStore } from "../pauses/pause-store.ts";
import type { Guest, WaitingRoom } from "../pauses/waiting-room.ts";
import type { Lane } from "./lane-record.ts";
import { readOutageRoom } from "./outage-room.ts";
import type { SendRoomTicket, SendTicket, Ticket } from "./ticket.ts";

/** A pause, or an outage's room. */
export interface Hold {
  readonly id: string;
}

/** A guest enters the room, stores its state, then calls `isWatched`. Repeatable. @throws AwsCallError */
export type Holds = ReturnType<typeof createHolds>;

/** A watch reports every 20 s; then it may be lost. */
export const silentMs = 90_000;

/** For one invocation: caches watches. */
export function createHolds(services: {
  readonly pauseStore: Pick<PauseStore, "read">;
  /** Default: no guest waits for an outage. */
  readonly healthStore?: Pick<HealthStore, "read">;
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
    const known = await healthStore?.read(appId);
    return known?.destinations.get(outage.destination)?.sinceMs === outage.sinceMs;
  };

  return {
    enter: (appId: string, { id: pauseId }: Hold, guest: Guest) => room.enter({ appId, pauseId }, guest),
    /**
     * False if it is over: the caller must wake the guest. The process that ends a pause deletes the setting,
     * then reads the room; here the order is reversed, so one of the two sees the other. The same holds for
     * an outage, which a success ends.
     */
    isWatched: async (appId: string, { id: pauseId }: Hold) => {
      if (!(await goesOn(appId, pauseId))) return false;
      if (watched.has(pauseId)) return true;
      const of = { appId, pauseId };
      const watch = await room.watch(of);
      if (watch === undefined || watch.isOver || now() - watch.seenMs > silentMs) {
        await sendRoomTicket(of);
        // Wakes also guests that an earlier version woke too early.
        await room.noteWatch(of, { isOver: false, wokenTo: "" });
      }
      watched.add(pauseId);
      return true;
    },
  };
}

export function toGuest({ lane: { source, group, trigger } }: Ticket): Guest {
  return { kind: "lane", source, group, trigger };
}

export async function ensureWaking(
  ticket: Ticket,
  hold: Hold | undefined,
  { holds, sendTicket }: { readonly holds: Holds; readonly sendTicket: SendTicket },
): Promise<void> {
  if (hold !== undefined && (await holds.isWatched(ticket.appId, hold))) return;
  // Without the lease under which it may have arrived: the queue wakes the deployment.
  await sendTicket({ appId: ticket.appId, lane: ticket.lane });
}

/** @throws AwsCallError, PauseSettingError */
export async function pauseOfLane(
  { trigger }: Pick<Lane, "trigger">,
  health: Pick<AppHealth, "pauseOfApp" | "pauseOf">,
): Promise<Pause | undefined> {
  const ofApp = await health.pauseOfApp();
  if (ofApp !== undefined || trigger === undefined) return ofApp;
  return health.pauseOf({ kind: "trigger", name: trigger });
}
