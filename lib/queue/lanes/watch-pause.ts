import type { PauseStore } from "../pauses/pause-store.ts";
import type { RoomOf } from "../pauses/waiting-room.ts";
import { type WakeServices, wakeGuests } from "./wake-guests.ts";

export interface WatchServices extends WakeServices {
  readonly pauseStore: Pick<PauseStore, "read" | "endIfOver">;
}

/** How often it is looked whether a pause is over: what waits goes on within twice that. */
const lookMs = 5_000;
/** How often whoever looks says so: less than what makes others send for somebody else (lib/queue/lanes/pause-wait.ts). */
const noteMs = 20_000;

/**
 * Looks whether a pause is over, and wakes everybody who waits for that. Gives the moment from which its ticket is due
 * again, in milliseconds since 1970; undefined when all are woken. May be repeated: then some are woken twice, and look again.
 * @throws AwsCallError, PauseSettingError
 */
export async function watchPause(
  of: RoomOf,
  deadlineMs: number,
  services: WatchServices,
): Promise<number | undefined> {
  const { pauseStore, room, now } = services;
  const watch = await room.watch(of);
  if (watch?.isOver === true) return undefined;
  const settings = await pauseStore.read(of.appId);
  const pause = [...settings.values()].find(({ id }) => id === of.pauseId);
  if (pause !== undefined) {
    // The setting is taken away before anybody is woken: whoever enters the room from now on sees that it is gone.
    const isOver = now() >= pause.untilMs && (await pauseStore.endIfOver(of.appId, of.pauseId));
    if (!isOver) {
      if (now() - (watch?.seenMs ?? 0) > noteMs) await room.noteWatch(of);
      return now() + lookMs;
    }
  }
  return wakeGuests(of, watch?.wokenTo, deadlineMs, services);
}
