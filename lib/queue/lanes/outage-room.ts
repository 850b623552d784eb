import type { AppHealth } from "../../effects/health/app-health.ts";

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
