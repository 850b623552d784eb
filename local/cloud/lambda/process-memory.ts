import { readFileSync } from "node:fs";

/** Reads how much memory a process uses, in MB; undefined where the system does not tell or the process is gone. */
export function readMemoryMb(pid: number): number | undefined {
  try {
    const [, kilobytes] = readFileSync(`/proc/${pid}/status`, "latin1").match(/^VmRSS:\s+(\d+) kB/m) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
