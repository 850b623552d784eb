import { join } from "node:path";
import { functionClockSchema } from "../../cloud/lambda/runtime-api.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import { DataFault } from "../../files/data-fault.ts";
import { readIfThere, replacePrivateFile } from "../../files/private-files.ts";
import type { Platform } from "../../platform/create-platform.ts";
import { type ClockSetting, StackClock } from "./stack-clock.ts";

export function openStackClock(dataFolder: string | undefined): StackClock {
  if (dataFolder === undefined) return new StackClock();
  const file = join(dataFolder, "clock.json");
  const clock = new StackClock(readClockSetting(file));
  // Also saves steps of a move: they must not happen again after a crash.
  clock.onChange(() => replacePrivateFile(file, JSON.stringify(clock.lastingSetting)));
  return clock;
}

export function readClockSetting(file: string): ClockSetting {
  const text = readIfThere(file);
  if (text === undefined) return { offsetMs: 0 };
  try {
    return functionClockSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DataFault(`The clock's file ${file} cannot be read. Delete it to have the machine's time.`, {
      cause,
    });
  }
}

export function joinClock(clock: StackClock, platform: Platform, cloud: Cloud): void {
  for (const source of cloud.timeSources) clock.addSource(source);
  clock.onChange(() => {
    cloud.notifyQueues();
    if (!clock.isMoving) cloud.stores.tables.sweep();
  });
  clock.joinBeforeAdvance(async (signal) => {
    let ended = -1;
    // Repeats: a function may cause a delivery, which invokes functions.
    for (let before = -2; before !== ended && !signal.aborted; ) {
      before = ended;
      await platform.idle();
      ended = await cloud.settled();
    }
  });
}
