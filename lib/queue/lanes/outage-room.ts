import type { AppHealth } from "../../effects/health/app-health.ts";

/** A destination of an app's requests that answers nobody since a moment, in milliseconds since 1970. */
export interface Outage {
  readonly destination: string;
  readonly sinceMs: number;
}

/** Names the room in which lanes wait for the end of an outage (lib/queue/pauses/waiting-room.ts); each outage has its own. */
export function outageRoomOf({ destination, sinceMs }: Outage): string {
  return `for ${sinceMs} ${destination}`;
}

/** Reads back what `outageRoomOf` writes; undefined for a pause's room. */
export function readOutageRoom(roomId: string): Outage | undefined {
  const [, sinceMs, destination] = /^for (\d+) (.+)$/s.exec(roomId) ?? [];
  return destination === undefined ? undefined : { destination, sinceMs: Number(sinceMs) };
}

/** Tells whether an outage goes on, as far as an app's health knows. */
export function isGoingOn({ destination, sinceMs }: Outage, health: Pick<AppHealth, "outageOf">): boolean {
  return health.outageOf(destination)?.sinceMs === sinceMs;
}
