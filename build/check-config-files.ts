import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { readEnabledNames } from "../lib/handle/enabled-triggers.ts";
import { checkAgentTools } from "./check-agent-tools.ts";
import { checkApp } from "./check-app.ts";
import { checkConfigFolders } from "./check-config-folders.ts";
import { checkFunctionNames } from "./check-function-names.ts";
import { checkTriggerNames } from "./check-trigger-names.ts";
import { readConfigLayers, readIfThere } from "./config-layers.ts";
import { configSchemas } from "./config-schemas.ts";
import { ConfigFileError, noteMistakes } from "./config-text.ts";
import { findHandler } from "./find-handler.ts";
import { fileOrDefault, isPackage, shippedFile } from "./folders.ts";
import { settingsOf } from "./load-config-file.ts";
import { describeMissingPackage } from "./missing-package.ts";
import { readServedApps } from "./served-apps.ts";
import { readStages, type Stages } from "./stages.ts";

/** One line for each mistake in config/ and functions/own/, of every stage and app. */
export async function checkConfigFiles(projectFolder: string): Promise<readonly string[]> {
  const mistakes: string[] = isPackage ? [...(await checkApp(projectFolder))] : [];
  const noting = <T>(work: Promise<T>) => work.catch((error: unknown) => noteMistakes(mistakes, error));
  const settings = await noting(readStages(projectFolder));
  const stages = settings && [...settings.keys()];
  const apps = await noting(readServedApps(projectFolder, stages));
  const layersOf = async (name: string) =>
    await Promise.all(
      [undefined, ...(stages ?? [])].map((stage) => readConfigLayers(projectFolder, name, stage)),
    );
  for (const name of configSchemas.keys()) {
    const all = (await noting(layersOf(name))) ?? [];
    for (const layers of all) await noting(Promise.try(settingsOf, name, layers));
  }
  if (stages !== undefined && apps !== undefined) {
    const appIds = [...apps.values()].flat();
    const rootFiles = ["apps.yml", "stages.yml", "triggers.yml"];
    const known = { files: [...configSchemas.keys()], rootFiles, stages, appIds };
    mistakes.push(...(await checkConfigFolders(projectFolder, known)));
  }
  const read = await noting(readProject(projectFolder));
  if (read !== undefined) {
    const agents = await layersOf("app/agents.yml").catch(() => []);
    const declared = agents.flatMap(({ base, stage = [], apps }) => [base, stage, ...apps.values()].flat());
    mistakes.push(
      ...checkTriggerNames(read.triggers, { own: read.ownTriggers, shipped: read.shippedTriggers }, stages),
      ...checkFunctionNames(read.ownFunctions, read.shippedService, (handler) =>
        findHandler(projectFolder, handler),
      ),
      ...checkAgentTools(declared, read.ownFunctions, read.service),
    );
  }
  mistakes.push(
    ...(await mistakenCode(projectFolder)),
    ...(await flowsWhereOff(projectFolder, settings ?? new Map())),
  );
  return [...new Set(mistakes)];
}

async function readProject(projectFolder: string) {
  const read = (file: string) =>
    readFile(file, "utf8").catch(() => {
      const name = relative(projectFolder, file).replaceAll(sep, "/");
      throw new ConfigFileError(`${name}: cannot be read. It must be there.`);
    });
  return {
    triggers: await read(join(projectFolder, "config/triggers.yml")),
    ownTriggers: await read(fileOrDefault(projectFolder, "functions/own/triggers.ts")),
    shippedTriggers: await read(shippedFile(projectFolder, "functions/triggers/index.ts")),
    ownFunctions: await read(fileOrDefault(projectFolder, "functions/own/functions.yml")),
    shippedService: await read(shippedFile(projectFolder, "serverless.yml")),
    service: await read(join(projectFolder, "serverless.yml")),
  };
}

/** Lazy: an app may lack the bundler. */
async function mistakenCode(projectFolder: string): Promise<readonly string[]> {
  const load = Promise.all([import("./check-own-code.ts"), import("./check-flow-starters.ts")]);
  const found = await load.catch((error: unknown) => {
    if (isPackage && describeMissingPackage(error) !== undefined) return undefined;
    throw error;
  });
  if (found === undefined) return [];
  const [{ checkOwnCode }, { checkFlowTable }] = found;
  return [...(await checkOwnCode(projectFolder)), ...(await checkFlowTable(projectFolder))];
}

async function flowsWhereOff(projectFolder: string, stages: Stages): Promise<readonly string[]> {
  const off = [...stages].filter(([, { flows }]) => flows === "off").map(([stage]) => stage);
  if (off.length === 0) return [];
  const { findFlowStarters } = await import("./check-flow-starters.ts");
  const content = (await readIfThere(projectFolder, "config/triggers.yml").catch(() => undefined))?.content;
  const namesOf = new Map(Object.entries(Object(content)));
  const mistakes = off.map(async (stage) => {
    const names = readEnabledNames(String(namesOf.get(stage) ?? "")).map(({ name }) => name);
    const starters = await findFlowStarters(projectFolder, names);
    return starters.map(
      (name) =>
        `config/triggers.yml: ${stage}: the trigger "${name}" starts a flow, and config/stages.yml has flows: off for this stage`,
    );
  });
  return (await Promise.all(mistakes)).flat();
}
