import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigFileError, type ConfigText, readConfigText } from "./config-text.ts";

/** A file of config/ in one stage: what holds everywhere, what the stage says anew, and what apps say anew. */
export interface ConfigLayers {
  readonly base: ConfigText;
  readonly stage: ConfigText | undefined;
  readonly apps: ReadonlyMap<string, ConfigText>;
}

/**
 * Reads `config/<name>`, `config/stages/<stage>/<name>` and each `config/apps/<appId>/<name>`.
 * @throws ConfigFileError if the first is missing, or one of them is no YAML
 */
export async function readConfigLayers(
  projectFolder: string,
  name: string,
  stage: string | undefined,
): Promise<ConfigLayers> {
  const base = await readIfThere(projectFolder, `config/${name}`);
  if (base === undefined) {
    throw new ConfigFileError(
      `config/${name}: cannot be read. It must be there, even if it says nothing new.`,
    );
  }
  const apps = new Map<string, ConfigText>();
  for (const appId of await foldersIn(projectFolder, "config/apps")) {
    const own = await readIfThere(projectFolder, `config/apps/${appId}/${name}`);
    if (own !== undefined) apps.set(appId, own);
  }
  const anew = stage && (await readIfThere(projectFolder, `config/stages/${stage}/${name}`));
  return { base, stage: anew || undefined, apps };
}

/** Reads a file of a project, if it is there. */
export async function readIfThere(projectFolder: string, file: string): Promise<ConfigText | undefined> {
  const text = await readFile(join(projectFolder, file), "utf8").catch(() => undefined);
  return text === undefined ? undefined : readConfigText(file, text);
}

/** Lists the folders in a folder of a project, in order; none where it is not there. */
export async function foldersIn(projectFolder: string, folder: string): Promise<readonly string[]> {
  const found = await readdir(join(projectFolder, folder), { withFileTypes: true }).catch(() => []);
  return found
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
