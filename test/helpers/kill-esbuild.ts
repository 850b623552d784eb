import { execFileSync } from "node:child_process";
import process from "node:process";
import { stop } from "esbuild";
import { onTestFinished } from "vitest";

/** Of all threads of this process. Files that share it get a new one after the test. */
export function killEsbuild(): void {
  onTestFinished(stop);
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).split("\n");
  for (const line of lines) {
    const [pid, parent, name = ""] = line.trim().split(/\s+/);
    if (Number(parent) === process.pid && name.includes("esbuild")) process.kill(Number(pid), "SIGKILL");
  }
}
