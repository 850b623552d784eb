import type { PauseStore } from "../pauses/pause-store.ts";
import type { RoomOf } from "../pauses/waiting-room.ts";
import { type WakeServices, wakeGuests } from "./wake-guests.ts";

export interface WatchServices extends WakeServices {
  readonly pauseStore: Pick<PauseStore, "read" | "endIfOver">;
}

/** How often to check whether a pause is over: guests continue within twice that. */
const lookMs = 5_000;
/**
 * How often a watch reports: less than the silence after which it is replaced
 * (lib/queue/lanes/pause-wait.ts).
 */
const noteMs = 20_000;

/**
 * Checks whether a pause is over, and then wakes all its guests. Returns when its ticket is due again, in
 * milliseconds since 1970; undefined if all are woken. May be repeated: guests that are woken twice check
 * again.
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
    // Deletes the setting before waking guests: a guest that enters from now on sees that it is gone.
    const isOver = now() >= pause.untilMs && (await pauseStore.endIfOver(of.appId, of.pauseId));
    if (!isOver) {
      if (now() - (watch?.seenMs ?? 0) > noteMs) await room.noteWatch(of);
      return now() + lookMs;
    }
  }
  return wakeGuests(of, watch?.wokenTo, deadlineMs, services);
}
