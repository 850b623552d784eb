import { basename, dirname } from "node:path";
import { type ConfigLayers, readConfigLayers, textsOf } from "./config-layers.ts";
import { configSchemas } from "./config-schemas.ts";
import { ConfigFileError, noteMistakes, refuseMistakes } from "./config-text.ts";
import { legalHoldsOf } from "./legal-holds.ts";
import { parseBy } from "./parse-by.ts";
import { readAppsOf } from "./served-apps.ts";

/**
 * Converts a file of config/ to a module of its content for a stage and each served app with its own file
 * (`SettingsFile` in lib/chat/settings-from.ts); config/apps.yml to the stage's app ids.
 * @throws ConfigFileError
 */
export async function loadConfigFile(file: string, stage: string): Promise<string> {
  const isOfApp = basename(dirname(file)) === "app";
  const name = isOfApp ? `app/${basename(file)}` : basename(file);
  const projectFolder = dirname(dirname(isOfApp ? dirname(file) : file));
  const served = await readAppsOf(projectFolder, stage);
  // A bundle loads one text faster than hundreds of ids.
  if (name === "apps.yml") return `export default ${JSON.stringify(served.join(","))};`;
  const layers = await readConfigLayers(projectFolder, name, stage);
  const apps = new Map([...layers.apps].filter(([appId]) => served.includes(appId)));
  return `export default ${JSON.stringify(settingsOf(name, { ...layers, apps }))};`;
}

/** Adds defaults: for every app, and for apps with their own file. @throws ConfigFileError */
export function settingsOf(name: string, layers: ConfigLayers) {
  const schema = configSchemas.get(name);
  if (schema === undefined) {
    throw new ConfigFileError(`config/${name} has no schema. Add one to functions/own/config-schemas.ts.`);
  }
  const mistakes: string[] = [];
  const check = (appId?: string) => {
    try {
      const texts = textsOf(layers, appId);
      const content = parseBy(schema, texts);
      const legalHold = name === "users.yml" ? legalHoldsOf(texts) : [];
      return legalHold.length > 0 ? Object.assign({}, content, { legalHold }) : content;
    } catch (error) {
      return noteMistakes(mistakes, error);
    }
  };
  const settings = {
    default: check(),
    apps: Object.fromEntries([...layers.apps.keys()].map((appId) => [appId, check(appId)])),
  };
  refuseMistakes([...new Set(mistakes)]);
  return settings;
}
