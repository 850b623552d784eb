import { readFileSync } from "node:fs";
import process from "node:process";

const lookMs = 500;

/**
 * Ends this process once npm, which started it, is gone: a killed npm forwards no signal. Does nothing
 * without npm, or on Windows, where a parent's id stays.
 */
export function endWithNpm(end: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const isThere = watchNpm();
  const timer = setInterval(() => {
    if (isThere()) return;
    clearInterval(timer);
    end();
  }, lookMs).unref();
}

function watchNpm(): () => boolean {
  let child = process.pid;
  let parent = parentOf(child);
  // Skips shells between npm and this process; all of them have npm's variable.
  for (; parent !== undefined && isOfSameScript(parent); parent = parentOf(child)) child = parent;
  const npm = parent ?? process.ppid;
  return () => (parent === undefined ? process.ppid : parentOf(child)) === npm;
}

/** @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html @returns undefined except on Linux */
function parentOf(pid: number) {
  const [, parent] = /^.*\) \w (\d+)/s.exec(read(pid, "stat")) ?? [];
  return parent === undefined ? undefined : Number(parent);
}

function isOfSameScript(pid: number) {
  return read(pid, "environ").split("\0").includes(`npm_lifecycle_event=${process.env.npm_lifecycle_event}`);
}

function read(pid: number, file: string) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
