import { execFile, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Sample {
  /** A plain JavaScript file of this folder, and its arguments. Prints one JSON object at its end. */
  readonly script: "sample.mjs" | "sample-pair.mjs";
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly event: unknown;
}

const run = promisify(execFile);
const lastCore = String(availableParallelism() - 1);

/** Whether samples keep to one core; without `taskset` (macOS, Windows) they do not. */
export const isPinned = spawnSync("taskset", ["-c", lastCore, "true"]).status === 0;

/** Takes one sample in a fresh process on one core. @throws Error with the process's output if it fails */
export async function runSample({ script, args, environment, event }: Sample): Promise<unknown> {
  const node = [process.execPath, join(import.meta.dirname, script), ...args];
  const [command = "", ...rest] = isPinned ? ["taskset", "-c", lastCore, ...node] : node;
  const env = { ...environment, BENCH_EVENT: JSON.stringify(event) };
  const { stdout } = await run(command, rest, {
    env,
    timeout: 120_000,
    maxBuffer: 1e9,
  }).catch((error: unknown) => {
    throw new Error(`The sample of ${args.join(" ")} failed:\n${messageOf(error)}`);
  });
  // Some libraries print on the lines before.
  return JSON.parse(stdout.slice(stdout.lastIndexOf("\n") + 1));
}

/** The error's own lines; not the line of the bundle that Node quotes, which may be all of it. */
function messageOf(error: unknown) {
  const text = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  return text
    .split("\n")
    .filter((line) => line.length < 300)
    .join("\n");
}
