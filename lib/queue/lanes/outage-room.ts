import type { AppHealth } from "../../effects/health/app-health.ts";

/** A destination of an app that answers no request since a time in milliseconds since 1970. */
export interface Outage {
  readonly destination: string;
  readonly sinceMs: number;
}

/**
 * Returns the id of the room in which lanes wait for the end of an outage (lib/queue/pauses/waiting-room.ts);
 * each outage has its own.
 */
export function outageRoomOf({ destination, sinceMs }: Outage): string {
  return `for ${sinceMs} ${destination}`;
}

/** Reverses `outageRoomOf`. @returns undefined for a pause's room */
export function readOutageRoom(roomId: string): Outage | undefined {
  const [, sinceMs, destination] = /^for (\d+) (.+)$/s.exec(roomId) ?? [];
  return destination === undefined ? undefined : { destination, sinceMs: Number(sinceMs) };
}

/** Returns whether an outage continues, according to the app's health. */
export function isGoingOn({ destination, sinceMs }: Outage, health: Pick<AppHealth, "outageOf">): boolean {
  return health.outageOf(destination)?.sinceMs === sinceMs;
}
