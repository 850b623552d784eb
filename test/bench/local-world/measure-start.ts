import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "..", "..", "..");

/** Gives the milliseconds from `npm start`'s script to the line that shows the first reply: the shortest of these starts. */
export async function measureStart(starts: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < starts; index += 1) times.push(await startOnce());
  return Math.min(...times);
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
