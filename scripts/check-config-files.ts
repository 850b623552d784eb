import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkFunctionNames } from "./check-function-names.ts";
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
  const names = [mistakenTriggers(projectFolder), mistakenFunctions(projectFolder)];
  return (await Promise.all([...mistakes, ...names])).flat();
}

function mistakenTriggers(projectFolder: string): Promise<readonly string[]> {
  const files = ["config/triggers.yml", "functions/own/triggers.ts", "functions/triggers/index.ts"];
  return withTexts(projectFolder, files, ([stages = "", own = "", shipped = ""]) =>
    checkTriggerNames(stages, { own, shipped }),
  );
}

function mistakenFunctions(projectFolder: string): Promise<readonly string[]> {
  const files = ["functions/own/functions.yml", "serverless.yml"];
  return withTexts(projectFolder, files, ([own = "", service = ""]) => checkFunctionNames(own, service));
}

async function withTexts(
  projectFolder: string,
  files: readonly string[],
  check: (texts: readonly string[]) => readonly string[],
): Promise<readonly string[]> {
  try {
    return check(await Promise.all(files.map((file) => readFile(join(projectFolder, file), "utf8"))));
  } catch {
    return [`${files.join(", ")}: one of them cannot be read. All must be there.`];
  }
}
