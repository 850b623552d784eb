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
import { noteMistakes } from "./config-text.ts";
import { findHandler } from "./find-handler.ts";
import { fileOrDefault, isPackage, shippedFile } from "./folders.ts";
import { settingsOf } from "./load-config-file.ts";
import { describeMissingPackage } from "./missing-package.ts";
import { readServedApps } from "./served-apps.ts";
import { readStages, type Stages } from "./stages.ts";

/** Checks config/ for every stage and app, and functions/own/: one line for each mistake. */
export async function checkConfigFiles(projectFolder: string): Promise<readonly string[]> {
  const mistakes: string[] = isPackage ? [...(await checkApp(projectFolder))] : [];
  const note = (error: unknown) => noteMistakes(mistakes, error);
  const settings = await readStages(projectFolder).catch((error: unknown) => void note(error));
  const stages = settings && [...settings.keys()];
  const apps = await readServedApps(projectFolder, stages).catch(note);
  for (const name of configSchemas.keys()) {
    for (const stage of [undefined, ...(stages ?? [])]) {
      await readConfigLayers(projectFolder, name, stage)
        .then((layers) => settingsOf(name, layers))
        .catch(note);
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
    ...(await mistakenTools(projectFolder, stages ?? [])),
    ...(await mistakenCode(projectFolder)),
    ...(await flowsWhereOff(projectFolder, settings)),
  );
  return [...new Set(mistakes)];
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

async function mistakenTools(projectFolder: string, stages: readonly string[]): Promise<readonly string[]> {
  const layers = await Promise.all(
    [undefined, ...stages].map((stage) => readConfigLayers(projectFolder, "app/agents.yml", stage)),
  ).catch(() => []);
  const declared = layers.flatMap(({ base, stage = [], apps }) => [base, stage, ...apps.values()].flat());
  const files = [
    fileOrDefault(projectFolder, "functions/own/functions.yml"),
    join(projectFolder, "serverless.yml"),
  ];
  return withTexts(projectFolder, files, ([own = "", service = ""]) =>
    checkAgentTools(declared, own, service),
  );
}

/** Loads the bundler only here: an app may lack it. */
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

/** Triggers that start flows, in stages with `flows: off`. */
async function flowsWhereOff(projectFolder: string, stages: Stages | undefined): Promise<readonly string[]> {
  const off = [...(stages ?? [])].filter(([, { flows }]) => flows === "off").map(([stage]) => stage);
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
