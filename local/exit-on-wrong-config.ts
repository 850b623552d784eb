import { join } from "node:path";
import process from "node:process";
import { checkConfigFiles } from "../scripts/check-config-files.ts";
import { defaultSeed } from "./platform/default-seed.ts";

/** Ends the process with code 1 if a file of config/ does not fit, and says what to mend: a line each, and no stack. */
export async function exitOnWrongConfig(): Promise<void> {
  const mistakes = await checkConfigFiles(
    join(import.meta.dirname, ".."),
    defaultSeed.apps.map(({ appId }) => appId),
  );
  if (mistakes.length === 0) return;
  process.stderr.write(`${mistakes.join("\n")}\n`);
  process.exit(1);
}
