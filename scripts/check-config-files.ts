import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkTriggerNames } from "./check-trigger-names.ts";
import { configSchemas } from "./config-schemas.ts";
import { ConfigFileError, checkConfig } from "./load-config-file.ts";

/** Checks all files of a project's config/ and says what does not fit, a line for each mistake; none if all is well. */
export async function checkConfigFiles(projectFolder: string): Promise<readonly string[]> {
  const mistakes = [...configSchemas.keys()].map(async (name) => {
    try {
      checkConfig(name, await readFile(join(projectFolder, "config", name), "utf8"));
      return [];
    } catch (error) {
      if (error instanceof ConfigFileError) return error.message.split("\n");
      return [`config/${name}: cannot be read. It must be there, even if it says nothing new.`];
    }
  });
  return [...(await Promise.all(mistakes)), await mistakenTriggers(projectFolder)].flat();
}

async function mistakenTriggers(projectFolder: string): Promise<readonly string[]> {
  const files = ["config/triggers.yml", "functions/triggers/index.ts"];
  try {
    const [stages = "", table = ""] = await Promise.all(
      files.map((file) => readFile(join(projectFolder, file), "utf8")),
    );
    return checkTriggerNames(stages, table);
  } catch {
    return [`${files.join(" and ")}: cannot be read. Both must be there.`];
  }
}
