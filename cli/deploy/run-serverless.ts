import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { serverlessFile } from "../../build/serverless-file.ts";

export interface ServerlessRun {
  readonly isDone: boolean;
  /** Its last lines, without colours. */
  readonly lines: readonly string[];
}

export interface ServerlessOptions {
  readonly projectFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** Enough to explain why it ended. */
const keptLines = 60;

/**
 * Ends the framework if the signal is aborted.
 * @throws the signal's reason
 */
export async function runServerless(
  args: readonly string[],
  { projectFolder, env, signal, onLine }: ServerlessOptions,
): Promise<ServerlessRun> {
  signal.throwIfAborted();
  const file = serverlessFile(projectFolder);
  const child = spawn(process.execPath, [file, ...args], {
    cwd: projectFolder,
    env: { ...env, SLS_NOTIFICATIONS_MODE: "off", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    // Own process group: Ctrl-C reaches only this process, which ends the framework in order.
    detached: true,
  });
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop, { once: true });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is taken out
      const line = text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "").trimEnd();
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
