import * as z from "zod/mini";
import { DataFault } from "../../files/data-fault.ts";
import { readIfThere, replacePrivateFile } from "../../files/private-files.ts";
import type { ClockSetting } from "./stack-clock.ts";

const settingSchema = z.object({ offsetMs: z.number(), frozenAtMs: z.optional(z.number()) });

export function readClockSetting(file: string): ClockSetting {
  const text = readIfThere(file);
  if (text === undefined) return { offsetMs: 0 };
  try {
    return settingSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DataFault(`The clock's file ${file} cannot be read. Delete it to have the machine's time.`, {
      cause,
    });
  }
}

export function keepClockSetting(file: string, setting: ClockSetting): void {
  replacePrivateFile(file, JSON.stringify(setting));
}
