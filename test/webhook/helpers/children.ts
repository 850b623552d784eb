import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** A process of this test, which ends with the test. */
export interface Child {
  readonly process: ChildProcess;
  /** Its first line of output. */
  readonly firstLine: string;
  /** All lines of its output. */
  readonly lines: readonly string[];
  /** Kills it as a loss of power would, and waits for the end. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts one of `test/webhook/children` and waits for its first line. */
export function startChild(name: string, args: readonly string[], prefix = ""): Promise<Child> {
  return startScript(join(import.meta.dirname, "../children", name), args, {}, prefix);
}

/** Starts a script and waits for its first line. `prefix` is a shell's, such as `ulimit -f 100;`. */
export async function startScript(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  prefix = "",
): Promise<Child> {
  const child = spawn("/bin/sh", ["-c", `${prefix} exec "$@"`, "sh", process.execPath, script, ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  const ended = once(child, "exit");
  const kill = async (signal: NodeJS.Signals = "SIGKILL") => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(() => kill());
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  await Promise.race([once(reader, "line"), ended]);
  const [firstLine] = lines;
  if (firstLine === undefined) throw new Error(`${script} ended before it wrote a line: ${errors.join("")}`);
  return { process: child, firstLine, lines, kill };
}
