import { readdirSync, readFileSync } from "node:fs";

/**
 * Gives the CPU milliseconds that a process's children have used so far, their own children included; 0 where /proc
 * does not tell.
 */
export function childrenCpuMs(parent: number): number {
  const processes = readProcesses();
  const sum = (pid: number): number =>
    processes.filter((one) => one.parent === pid).reduce((total, one) => total + one.cpuMs + sum(one.pid), 0);
  return sum(parent);
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly cpuMs: number;
}

const tickMs = 10; // USER_HZ is 100 on every Linux

function readProcesses(): readonly Process[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readProcess(Number(name)));
  } catch {
    return [];
  }
}

function readProcess(pid: number): Process[] {
  try {
    // The name in parentheses may hold spaces; the fields after it are: state, parent, …, user and system time.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const cpuMs = (Number(fields[11]) + Number(fields[12])) * tickMs;
    return [{ pid, parent: Number(fields[1]), cpuMs }];
  } catch {
    return []; // it has ended
  }
}
