import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

const root = join(import.meta.dirname, "../..");

export interface StartedProcess {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** Waits for a line that has all of these parts, and gives all lines so far. @throws Error with all that it printed when it ends first */
  until(...parts: string[]): Promise<string>;
  /** The processes that are left of it, itself included; none where the system does not tell. */
  leftovers(): string[];
}

/**
 * Starts the script of `npm start` and reads what it prints, line by line; it is killed when the test ends.
 * @param prefix what is run before it, in a shell, such as `umask 077`
 */
export function startProcess(
  args: readonly string[],
  { prefix = ":", environment = {} }: { prefix?: string; environment?: Record<string, string> } = {},
): StartedProcess {
  const marker = `start-test-${process.pid}-${Math.random()}`;
  const script = `${prefix}; exec "$0" local/start.ts "$@"`;
  const child = spawn("/bin/sh", ["-c", script, process.execPath, ...args], {
    cwd: root,
    env: { ...process.env, ...environment, START_TEST_MARKER: marker },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  let isOver = false;
  const over = once(reader, "close").then(() => (isOver = true));
  reader.on("line", (line) => lines.push(line));
  return {
    child,
    async until(...parts) {
      while (!lines.some((line) => parts.every((part) => line.includes(part)))) {
        if (isOver) {
          const errors = await text(child.stderr).catch(() => "");
          throw new Error(`It ended without "${parts.join(" … ")}":\n${[...lines, errors].join("\n")}`);
        }
        await Promise.race([once(reader, "line"), over]);
      }
      return lines.join("\n");
    },
    leftovers: () => (isLinux ? processesWith(marker) : []),
  };
}

export const isLinux = process.platform === "linux";

/** Ends it as Ctrl-C does and gives its exit code. */
export async function interrupt(child: ChildProcess): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill("SIGINT");
  const [code] = await ended;
  return code;
}

function processesWith(marker: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "utf8").includes(marker);
    } catch {
      return false;
    }
  });
}
