import process from "node:process";
import { checkConfigFiles } from "../../build/check-config-files.ts";
import { findProjectFolder } from "../../build/folders.ts";
import { readAppsOf } from "../../build/served-apps.ts";
import { defaultSeed } from "../platform/default-seed.ts";

/** Prints mistakes, one line each, and exits with code 1. */
export async function exitOnWrongConfig(): Promise<void> {
  const projectFolder = findProjectFolder();
  const mistakes = [...(await checkConfigFiles(projectFolder))];
  if (mistakes.length === 0) {
    const [{ appId }] = defaultSeed.apps;
    const served = await readAppsOf(projectFolder, "local");
    if (!served.includes(appId)) {
      mistakes.push(
        `config/apps.yml: the stage local must serve "${appId}", the app of the emulated platform`,
      );
    }
  }
  if (mistakes.length === 0) return;
  process.stderr.write(`${mistakes.join("\n")}\n`);
  process.exit(1);
}
