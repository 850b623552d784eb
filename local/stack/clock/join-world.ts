import { join } from "node:path";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { Platform } from "../../platform/create-platform.ts";
import { keepClockSetting, readClockSetting } from "./keep-clock.ts";
import { createWorldClock, type WorldClock } from "./world-clock.ts";

/** Makes a world's clock, which stands as it stood when the folder was last used. */
export function openWorldClock(dataFolder: string | undefined): WorldClock {
  if (dataFolder === undefined) return createWorldClock();
  const file = join(dataFolder, "clock.json");
  const clock = createWorldClock(readClockSetting(file));
  // Steps of a move, too: a process that dies on the way leaves what happened there, whose time must not come again.
  clock.onChange(() => keepClockSetting(file, clock.resting));
  return clock;
}

/** Milliseconds that a clock is ahead of the machine's; of one that stands, at this moment. */
export function aheadOf({ setting: { offsetMs, frozenAtMs } }: Pick<WorldClock, "setting">): number {
  return frozenAtMs === undefined ? offsetMs : frozenAtMs - Date.now();
}

/** Has a clock that is moved make due what waits in a world, and wait for all that follows from it. */
export function joinWorld(clock: WorldClock, platform: Platform, cloud: Cloud): void {
  for (const source of cloud.timeSources) clock.addSource(source);
  clock.onChange(() => {
    cloud.lookAgain();
    if (!clock.isMoving) cloud.stores.tables.sweep();
  });
  clock.joinBeforeAdvance(async () => {
    let ended = -1;
    // What a function does may go out as a delivery, and come in again.
    for (let before = -2; before !== ended; ) {
      before = ended;
      await platform.idle();
      ended = await cloud.settled();
    }
  });
}
