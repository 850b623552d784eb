import { readFileSync, renameSync, writeFileSync } from "node:fs";
import * as z from "zod/mini";
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
  writeFileSync(`${file}.new`, JSON.stringify(setting), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
