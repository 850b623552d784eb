import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..", "..", "..");

export interface StartFigures {
  /** Milliseconds from `npm start`'s script to the line that shows the first reply. */
  readonly startMs: number;
  /** Milliseconds that a Node process takes which has nothing to do. */
  readonly bareStartMs: number;
}

/** Gives the shortest of these starts, and of as many bare processes, in turns. */
export async function measureStart(starts: number): Promise<StartFigures> {
  let startMs = Number.POSITIVE_INFINITY;
  let bareStartMs = Number.POSITIVE_INFINITY;
  for (let index = 0; index < starts; index += 1) {
    startMs = Math.min(startMs, await startOnce());
    bareStartMs = Math.min(bareStartMs, await startBare());
  }
  return { startMs, bareStartMs };
}

async function startBare(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - started;
}

async function startOnce(): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, ["local/start.ts", "--port", "0"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const replied = new Promise<number>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.includes("the reply appears")) resolve(performance.now() - started);
    });
    void ended.then(([code]) => reject(new Error(`npm start ended with ${code} before the first reply.`)));
  });
  try {
    return await replied;
  } finally {
    child.kill("SIGINT");
    await ended;
  }
}
