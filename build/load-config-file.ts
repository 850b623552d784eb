import { basename, dirname } from "node:path";
import { type ConfigLayers, readConfigLayers } from "./config-layers.ts";
import { configSchemas } from "./config-schemas.ts";
import { ConfigFileError, type ConfigText, noteMistakes } from "./config-text.ts";
import { parseBy } from "./parse-by.ts";
import { readServedApps } from "./served-apps.ts";

/**
 * Converts a file of config/ to a module with its content for a stage, and for each served app with its own
 * file (`SettingsFile` in lib/chat/settings-from.ts); config/apps.yml to the ids of the stage's apps.
 * @throws ConfigFileError
 */
export async function loadConfigFile(file: string, stage: string): Promise<string> {
  const isOfApp = basename(dirname(file)) === "app";
  const name = isOfApp ? `app/${basename(file)}` : basename(file);
  const projectFolder = dirname(dirname(isOfApp ? dirname(file) : file));
  const served = (await readServedApps(projectFolder)).get(stage) ?? [];
  // One text: a bundle loads it faster than hundreds of ids.
  if (name === "apps.yml") return `export default ${JSON.stringify(served.join(","))};`;
  const layers = await readConfigLayers(projectFolder, name, stage);
  const apps = new Map([...layers.apps].filter(([appId]) => served.includes(appId)));
  return `export default ${JSON.stringify(settingsOf(name, { ...layers, apps }))};`;
}

/**
 * With defaults: for every app, and for apps with their own file.
 * @throws ConfigFileError
 */
export function settingsOf(
  name: string,
  { base, stage, apps }: ConfigLayers,
): { readonly default: unknown; readonly apps: Readonly<Record<string, unknown>> } {
  const shared: readonly [ConfigText, ...ConfigText[]] = stage === undefined ? [base] : [base, stage];
  const mistakes: string[] = [];
  const check = (texts: readonly [ConfigText, ...ConfigText[]]) => {
    try {
      return checkContent(name, texts);
    } catch (error) {
      return noteMistakes(mistakes, error);
    }
  };
  const settings = {
    default: check(shared),
    apps: Object.fromEntries([...apps].map(([appId, own]) => [appId, check([...shared, own])])),
  };
  if (mistakes.length > 0) throw new ConfigFileError([...new Set(mistakes)].join("\n"));
  return settings;
}

function checkContent(name: string, texts: readonly [ConfigText, ...ConfigText[]]): unknown {
  const schema = configSchemas.get(name);
  if (schema === undefined) {
    throw new ConfigFileError(`config/${name} has no schema. Add one to functions/own/config-schemas.ts.`);
  }
  return parseBy(schema, texts);
}
