import { execFileSync } from "node:child_process";
import process from "node:process";

export function killEsbuild(): void {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).split("\n");
  for (const line of lines) {
    const [pid, parent, name = ""] = line.trim().split(/\s+/);
    if (Number(parent) === process.pid && name.includes("esbuild")) process.kill(Number(pid), "SIGKILL");
  }
}
