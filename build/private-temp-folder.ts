import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/**
 * A plugin of serverless: gives its process a temporary folder that only this user can read, and removes the
 * folder at the end. serverless-esbuild would leave one readable folder per function.
 */
export default class PrivateTempFolder {
  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "serverless-"));
    process.env.TMPDIR = folder;
    const remove = () => rmSync(folder, { recursive: true, force: true });
    process.once("exit", remove);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        remove();
        // serverless leaves it to the last listener to end the process.
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
      });
    }
  }
}
