import { readFileSync } from "node:fs";

export function readMemoryMb(pid: number): number | undefined {
  try {
    const [, kilobytes] = readFileSync(`/proc/${pid}/status`, "latin1").match(/^VmRSS:\s+(\d+) kB/m) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
