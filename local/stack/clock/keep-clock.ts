import * as z from "zod/mini";
import { readIfThere, replacePrivateFile } from "../../files/private-files.ts";
import type { ClockSetting } from "./world-clock.ts";

const settingSchema = z.object({ offsetMs: z.number(), frozenAtMs: z.optional(z.number()) });

/** Reads how a world's clock stood; the machine's time when nothing was kept. @throws Error for a file that is none of ours */
export function readClockSetting(file: string): ClockSetting {
  const text = readIfThere(file);
  if (text === undefined) return { offsetMs: 0 };
  try {
    return settingSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The clock's file ${file} cannot be read. Delete it to have the machine's time.`, {
      cause,
    });
  }
}

/** Keeps how a world's clock stands, in a file that only this user may read: the old setting or the new one. */
export function keepClockSetting(file: string, setting: ClockSetting): void {
  replacePrivateFile(file, JSON.stringify(setting));
}
