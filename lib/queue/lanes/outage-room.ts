import type { AppHealth } from "../../effects/health/app-health.ts";
import type { HealthStore } from "../../effects/health/health-store.ts";
import type { RoomKey } from "../pauses/waiting-room.ts";

/** A destination that has not answered since a time. */
export interface Outage {
  readonly destination: string;
  readonly sinceMs: number;
}

export function outageRoomOf({ destination, sinceMs }: Outage): string {
  return `for ${sinceMs} ${destination}`;
}

/** @returns undefined for a pause's room */
export function readOutageRoom(roomId: string): Outage | undefined {
  const [, sinceMs, destination] = /^for (\d+) (.+)$/s.exec(roomId) ?? [];
  return destination === undefined ? undefined : { destination, sinceMs: Number(sinceMs) };
}

export function isGoingOn({ destination, sinceMs }: Outage, health: Pick<AppHealth, "outageOf">): boolean {
  return health.outageOf(destination)?.sinceMs === sinceMs;
}

export interface OutageRoom extends RoomKey {
  readonly outage: Outage;
  /** The conversations that failed there last. */
  readonly streakLanes: readonly string[];
}

export async function outageRooms(
  appId: string,
  { healthStore }: { readonly healthStore: HealthStore },
): Promise<readonly OutageRoom[]> {
  const { destinations } = await healthStore.read(appId);
  return [...destinations].flatMap(([destination, { sinceMs, streakLanes }]) => {
    if (sinceMs === undefined) return [];
    const outage = { destination, sinceMs };
    return [{ appId, pauseId: outageRoomOf(outage), outage, streakLanes }];
  });
}
