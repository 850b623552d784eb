import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isRecord } from "../lib/base/json.ts";
import { checkApp } from "./check-app.ts";
import { checkFunctionNames } from "./check-function-names.ts";
import { checkTriggerNames } from "./check-trigger-names.ts";
import { entriesIn, readConfigLayers } from "./config-layers.ts";
import { configSchemas } from "./config-schemas.ts";
import { ConfigFileError, type ConfigText, noteMistakes, placeOf, readYaml } from "./config-text.ts";
import { findHandler } from "./find-handler.ts";
import { fileOrDefault, isPackage, shippedFile } from "./folders.ts";
import { settingsOf } from "./load-config-file.ts";
import { describeMissingPackage } from "./missing-package.ts";
import { hintAt } from "./nearest-name.ts";
import { readServedApps, readStageTriggers } from "./served-apps.ts";
import { readStageNames, readStages, type Stages } from "./stages.ts";

/** Returns one line for each mistake in config/ and functions/own/, of every stage and app. */
export async function checkConfigFiles(projectFolder: string) {
  const mistakes: string[] = isPackage ? [...(await checkApp(projectFolder))] : [];
  const noting = <T>(work: Promise<T>) => work.catch((error: unknown) => noteMistakes(mistakes, error));
  const settings = await noting(readStages(projectFolder));
  const stages = await noting(readStageNames(projectFolder));
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
    mistakes.push(...(await checkConfigFolders(projectFolder, stages, [...apps.values()].flat())));
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

/** Imports late: an app may lack the bundler. */
async function mistakenCode(projectFolder: string) {
  const load = Promise.all([import("./check-own-code.ts"), import("./check-flow-starters.ts")]);
  const found = await load.catch((error: unknown) => {
    if (isPackage && describeMissingPackage(error) !== undefined) return undefined;
    throw error;
  });
  if (found === undefined) return [];
  const [{ checkOwnCode }, { checkFlowTable }] = found;
  return [...(await checkOwnCode(projectFolder)), ...(await checkFlowTable(projectFolder))];
}

async function flowsWhereOff(projectFolder: string, stages: Stages) {
  const off = [...stages].filter(([, { flows }]) => flows === "off").map(([stage]) => stage);
  if (off.length === 0) return [];
  const { findFlowStarters } = await import("./check-flow-starters.ts");
  const mistakes = off.map(async (stage) => {
    const triggers = await readStageTriggers(projectFolder, stage).catch(() => []);
    const starters = await findFlowStarters(
      projectFolder,
      triggers.map(({ name }) => name),
    );
    return starters.map(
      (name) =>
        `config/triggers.yml: ${stage}: the trigger "${name}" starts a flow, and config/stages.yml has flows: off for this stage`,
    );
  });
  return (await Promise.all(mistakes)).flat();
}

interface Folder {
  readonly files: readonly string[];
  /** Undefined: do not look inside. */
  readonly folders: Readonly<Record<string, Folder | undefined>>;
  readonly unknown?: (name: string) => string;
}

function checkConfigFolders(projectFolder: string, stages: readonly string[], appIds: readonly string[]) {
  const files = [...configSchemas.keys()];
  const appFiles = files.flatMap((file) => (file.startsWith("app/") ? file.slice("app/".length) : []));
  const app = { files: appFiles, folders: {} };
  const ofNames = (names: readonly string[], what: string, source: string): Folder => ({
    files: [],
    folders: Object.fromEntries(names.map((name) => [name, { files, folders: { app } }])),
    unknown: (name) => `${what} "${name}"${hintAt(name, names)} (${source})`,
  });
  return check(projectFolder, "config", {
    files: ["apps.yml", "stages.yml", "triggers.yml", ...files],
    folders: {
      schemas: undefined,
      stages: ofNames(stages, "there is no stage", "config/stages.yml names the stages"),
      apps: ofNames(
        [...new Set(appIds)],
        "no stage serves an app",
        "config/apps.yml names each stage's apps",
      ),
      app,
    },
  });
}

async function check(projectFolder: string, place: string, known: Folder): Promise<readonly string[]> {
  const {
    files,
    folders,
    unknown = (name) => `nothing reads it${hintAt(name, Object.keys(folders))}`,
  } = known;
  const mistakes = (await entriesIn(projectFolder, place)).map(async ({ name, isFolder }) => {
    if (!isFolder) return mistakenFile(place, name, files);
    if (!Object.hasOwn(folders, name)) return [`${place}/${name}: ${unknown(name)}`];
    const inner = folders[name];
    return inner === undefined ? [] : check(projectFolder, `${place}/${name}`, inner);
  });
  return (await Promise.all(mistakes)).flat();
}

/** Also reports a known name with another ending: `replies.json`. */
function mistakenFile(folder: string, name: string, known: readonly string[]) {
  if (known.includes(name)) return [];
  if (known.includes(`app/${name}`))
    return [`${folder}/${name}:1:1: nothing reads it here: its place is ${folder}/app/${name}`];
  const isMeant = known.includes(name.replace(/(\.(json|txt|toml|yml\.txt))?$/, ".yml"));
  if (!isMeant && !/\.ya?ml$/i.test(name)) return [];
  const schemas = "what a file may hold stands in functions/own/config-schemas.ts";
  return [`${folder}/${name}:1:1: nothing reads a file of this name here${hintAt(name, known)} (${schemas})`];
}

/**
 * Lists tools in config/app/agents.yml that no function answers. Compares routes if all functions are known.
 * @param declared config/app/agents.yml, and what overrides it
 * @param own functions/own/functions.yml
 * @param service the app's serverless.yml
 */
function checkAgentTools(declared: readonly ConfigText[], own: string, service: string) {
  const { content } = readYaml("serverless.yml", service, { tags: true });
  const functions = [isRecord(content) ? content.functions : undefined].flat();
  const isKnown = functions.every(
    (one) => typeof one !== "string" || /own\/functions\.yml|app\/functions\.yml/.test(one),
  );
  const routes = routesOf([...functions, readYaml("functions.yml", own, { tags: true }).content]);
  if (!isKnown || routes.some(({ path }) => /\/agent-tools\/\{|\{proxy\+\}/.test(path))) return [];
  const byTool = Map.groupBy(routes, ({ path }) => /\/agent-tools\/([\w$-]+)/.exec(path)?.[1] ?? "");
  return declared.flatMap((text) => {
    const { apiTools } = Object(text.content);
    const tools: readonly unknown[] = Array.isArray(apiTools) ? apiTools : [];
    return tools.flatMap((tool, index) => {
      const { tool: name, method = "POST" } = Object(tool);
      const taken = byTool.get(name)?.map((route) => route.method) ?? [];
      if (typeof name !== "string" || taken.some((one) => one === "*" || one === method)) return [];
      const path = ["apiTools", index, "tool"];
      const problem = `no function has the route ${taken.length === 0 ? "" : `${method} `}/agent-tools/${name}/{appId}`;
      const names = [...byTool.keys()].filter(Boolean);
      const hint = taken.length === 0 ? hintAt(name, names) : `; there is ${taken.join(", ")}`;
      return [`${placeOf(text, path)}: ${path.join(".")}: ${problem}${hint}`];
    });
  });
}

function routesOf(maps: readonly unknown[]) {
  return maps
    .flatMap((map) => Object.values(isRecord(map) ? map : {}))
    .flatMap((definition) => Object(definition).events ?? [])
    .map((event) => Object(event).httpApi)
    .flatMap((route) => {
      const [method, path] =
        typeof route === "string" ? route.trim().split(/\s+/) : [Object(route).method, Object(route).path];
      return path === undefined ? [] : [{ method: String(method ?? "*").toUpperCase(), path: String(path) }];
    });
}
