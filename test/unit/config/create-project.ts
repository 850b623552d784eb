import { cpSync } from "node:fs";
import { join } from "node:path";
import { checkConfigFiles } from "../../../build/check-config-files.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { type Files, writeFiles } from "../../helpers/write-files.ts";

const root = join(import.meta.dirname, "../../..");

/** Copies the checked files, and adds or replaces some, for one test. */
export function createProject(files: Files = {}): string {
  const folder = temporaryFolder();
  for (const name of ["config", "functions/own", "functions/triggers/index.ts", "serverless.yml"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  writeFiles(folder, files);
  return folder;
}

/** Lists the mistakes of such a copy. */
export function mistakesIn(files: Files): Promise<readonly string[]> {
  return checkConfigFiles(createProject(files));
}
