import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  const owner = describe(String(process.pid));
  const draft = `${lock}.${process.pid}.draft`;
  writeFileSync(draft, owner);
  try {
    linkSync(draft, lock);
    return lock;
  } catch {
    const other = read(lock);
    const isDead = other !== undefined && other !== describe(other.split("-")[0] ?? "");
    return isDead ? take(`${lock}.${other}`) : undefined;
  } finally {
    rmSync(draft);
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
