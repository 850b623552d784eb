import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import timers from "node:timers/promises";

/** Makes a folder in one process of a test run; the others wait for it, or take over from a dead one. */
export async function makeOnce(folder: string, make: () => Promise<void> | void): Promise<void> {
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true });
  const first = join(parent, `${basename(folder)}.${process.ppid}.lock`);
  while (!existsSync(folder)) {
    const lock = take(first);
    if (lock === undefined) {
      await timers.setTimeout(100);
      continue;
    }
    try {
      if (!existsSync(folder)) await make();
    } finally {
      rmSync(lock);
    }
  }
}

/** @returns undefined while a running process has the lock; a dead one's leads to the next lock */
function take(lock: string): string | undefined {
  try {
    writeFileSync(lock, describe(String(process.pid)), { flag: "wx" });
    return lock;
  } catch {
    const owner = read(lock);
    // Empty while its owner writes it.
    if (!owner || owner === describe(owner.split("-")[0] ?? "")) return undefined;
    return take(`${lock}.${owner}`);
  }
}

/** On Linux with the start time: process ids are used again. */
function describe(pid: string): string {
  const startedAt = read(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ")[19];
  return `${pid}-${startedAt}`;
}

function read(file: string) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
