import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";

/** Makes a folder in one process of a test run; the others wait for it. */
export async function makeOnce(folder: string, make: () => Promise<void> | void): Promise<void> {
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true });
  const lock = join(parent, `${basename(folder)}.${process.ppid}.lock`);
  const changes = watch(parent, { signal: AbortSignal.timeout(600_000) });
  const next = changes[Symbol.asyncIterator]();
  // The watcher watches from its first check.
  let change = next.next();
  while (!existsSync(folder)) {
    try {
      writeFileSync(lock, "", { flag: "wx" });
    } catch {
      await change;
      change = next.next();
      continue;
    }
    try {
      if (!existsSync(folder)) await make();
    } finally {
      rmSync(lock);
    }
  }
  void next.return?.();
  change.catch(() => undefined);
}
