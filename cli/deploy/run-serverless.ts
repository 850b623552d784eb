import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { serverlessFile } from "../../build/serverless-file.ts";

export interface ServerlessOptions {
  readonly projectFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** Enough to explain why it ended. */
const keptLines = 60;

/**
 * Returns its last lines, without colours. Ends the framework if the signal is aborted.
 * @throws the signal's reason
 */
export async function runServerless(
  args: readonly string[],
  { projectFolder, env, signal, onLine }: ServerlessOptions,
): Promise<{ readonly isDone: boolean; readonly lines: readonly string[] }> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [serverlessFile(projectFolder), ...args], {
    cwd: projectFolder,
    env: { ...env, SLS_NOTIFICATIONS_MODE: "off", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    // Own process group: Ctrl-C reaches only this process, which ends the framework in order.
    detached: true,
  });
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop, { once: true });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on("line", (text) => {
      const line = stripVTControlCharacters(text).trimEnd();
      if (line === "") return;
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      onLine(line);
    });
  }
  const [code] = await once(child, "close");
  signal.removeEventListener("abort", stop);
  return { isDone: code === 0, lines };
}
