import { join } from "node:path";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { Platform } from "../../platform/create-platform.ts";
import { keepClockSetting, readClockSetting } from "./keep-clock.ts";
import { StackClock } from "./stack-clock.ts";

export function openStackClock(dataFolder: string | undefined): StackClock {
  if (dataFolder === undefined) return new StackClock();
  const file = join(dataFolder, "clock.json");
  const clock = new StackClock(readClockSetting(file));
  // Also saves steps of a move: they must not happen again after a crash.
  clock.onChange(() => keepClockSetting(file, clock.lastingSetting));
  return clock;
}

export function joinClock(clock: StackClock, platform: Platform, cloud: Cloud): void {
  for (const source of cloud.timeSources) clock.addSource(source);
  clock.onChange(() => {
    cloud.notifyQueues();
    if (!clock.isMoving) cloud.stores.tables.sweep();
  });
  clock.joinBeforeAdvance(async () => {
    let ended = -1;
    // Repeats: a function may cause a delivery, which invokes functions.
    for (let before = -2; before !== ended; ) {
      before = ended;
      await platform.idle();
      ended = await cloud.settled();
    }
  });
}
