import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** How long it may take; what takes longer counts as hanging. */
  readonly seconds: number;
  /** Receives each line; `end` ends the program, with all that it started. */
  readonly onLine?: (line: string, end: () => void) => void;
}

/** How many lines an error repeats. */
const lastLines = 20;

/**
 * Runs a program to its end and returns its output. A hanging one is ended with all that it started:
 * installers start programs that start programs, so that waiting only for the first may never end.
 * @throws Error if the program does not exist, fails or hangs, with its last output
 */
export async function runWithin(
  [program = "", ...args]: readonly string[],
  { cwd, env, seconds, onLine }: Place,
): Promise<string> {
  const command = [program, ...args].join(" ");
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const said: string[] = [];
  const printed: string[] = [];
  let isEnded = false;
  let isStanding = false;
  const signal = (name: NodeJS.Signals) => {
    if (child.pid !== undefined) killGroup(child.pid, name);
  };
  const limit = setTimeout(() => {
    isStanding = true;
    signal("SIGKILL");
    // Processes that left the group may hold them.
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  }, seconds * 1000);
  // Ctrl-C does not reach another group.
  process.on("SIGINT", signal).on("SIGTERM", signal);
  const end = () => {
    isEnded = true;
    signal("SIGTERM");
  };
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  createInterface({ input: child.stdout }).on("line", (line) => {
    said.push(line);
    printed.push(line);
    onLine?.(line, end);
  });
  try {
    const [code, by] = await once(child, "close");
    const tail = said.slice(-lastLines).join("\n");
    if (isStanding)
      throw new Error(
        `${command} stood for ${seconds} seconds in ${cwd}, and was ended. Its last lines:\n${tail}`,
      );
    if (code !== 0 && !isEnded)
      throw new Error(
        `${command} ended ${by === null ? `with code ${code}` : `by ${by}`} in ${cwd}. Its last lines:\n${tail}`,
      );
    return printed.map((line) => `${line}\n`).join("");
  } finally {
    clearTimeout(limit);
    process.off("SIGINT", signal).off("SIGTERM", signal);
  }
}

/** A group may have ended meanwhile. */
function killGroup(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(-pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
