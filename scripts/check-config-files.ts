import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { checkApp } from "./check-app.ts";
import { checkConfigFolders } from "./check-config-folders.ts";
import { checkFunctionNames } from "./check-function-names.ts";
import { checkTriggerNames } from "./check-trigger-names.ts";
import { readConfigLayers } from "./config-layers.ts";
import { configSchemas } from "./config-schemas.ts";
import { ConfigFileError } from "./config-text.ts";
import { findHandler } from "./find-handler.ts";
import { fileOrDefault, isPackage, shippedFile } from "./folders.ts";
import { settingsOf } from "./load-config-file.ts";
import { describeMissingPackage } from "./missing-package.ts";
import { readServedApps } from "./served-apps.ts";
import { readStages } from "./stages.ts";

/**
 * Checks all of a project's config/, in every stage and for every app, and the names and the syntax in functions/own/. Says what does not
 * fit, a line for each mistake; none if all is well. Of an app that uses the package it says what an update left to be done, too.
 */
export async function checkConfigFiles(projectFolder: string): Promise<readonly string[]> {
  const mistakes: string[] = isPackage ? [...(await checkApp(projectFolder))] : [];
  const stages = await collect(mistakes, async () => [...(await readStages(projectFolder)).keys()]);
  const apps = await collect(mistakes, () => readServedApps(projectFolder, stages));
  for (const name of configSchemas.keys()) {
    // Beside the stages that have a name there may be any number without one: what holds for those is checked, too.
    for (const stage of [undefined, ...(stages ?? [])]) {
      await collect(mistakes, async () =>
        settingsOf(name, await readConfigLayers(projectFolder, name, stage)),
      );
    }
  }
  if (stages !== undefined && apps !== undefined) {
    const known = {
      files: [...configSchemas.keys()],
      rootFiles: ["apps.yml", "stages.yml", "triggers.yml"],
      stages,
      appIds: [...apps.values()].flat(),
    };
    mistakes.push(...(await checkConfigFolders(projectFolder, known)));
  }
  mistakes.push(
    ...(await mistakenTriggers(projectFolder, stages)),
    ...(await mistakenFunctions(projectFolder)),
    ...(await mistakenCode(projectFolder)),
  );
  return [...new Set(mistakes)];
}

async function collect<T>(mistakes: string[], read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    mistakes.push(...error.message.split("\n"));
    return undefined;
  }
}

function mistakenTriggers(
  projectFolder: string,
  stages: readonly string[] | undefined,
): Promise<readonly string[]> {
  const files = [
    join(projectFolder, "config/triggers.yml"),
    fileOrDefault(projectFolder, "functions/own/triggers.ts"),
    shippedFile(projectFolder, "functions/triggers/index.ts"),
  ];
  return withTexts(projectFolder, files, ([triggers = "", own = "", shipped = ""]) =>
    checkTriggerNames(triggers, { own, shipped }, stages),
  );
}

function mistakenFunctions(projectFolder: string): Promise<readonly string[]> {
  const files = [
    fileOrDefault(projectFolder, "functions/own/functions.yml"),
    shippedFile(projectFolder, "serverless.yml"),
  ];
  return withTexts(projectFolder, files, ([own = "", service = ""]) =>
    checkFunctionNames(own, service, (handler) => findHandler(projectFolder, handler)),
  );
}

/** Loaded then: where the bundler is not installed, an app is told so and nothing else of its code. */
async function mistakenCode(projectFolder: string): Promise<readonly string[]> {
  const found = await import("./check-own-code.ts").catch((error: unknown) => {
    if (isPackage && describeMissingPackage(error) !== undefined) return undefined;
    throw error;
  });
  return (await found?.checkOwnCode(projectFolder)) ?? [];
}

async function withTexts(
  projectFolder: string,
  files: readonly string[],
  check: (texts: readonly string[]) => readonly string[],
): Promise<readonly string[]> {
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8"))).catch(() => undefined);
  const names = files.map((file) => relative(projectFolder, file).replaceAll(sep, "/"));
  return texts === undefined
    ? [`${names.join(", ")}: one of them cannot be read. All must be there.`]
    : check(texts);
}
