import { isUtf8 } from "node:buffer";
import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../lib/base/json.ts";
import { ConfigFileError, type ConfigText, type ConfigTexts, readConfigText } from "./config-text.ts";
import { isPackage, packageFolder } from "./folders.ts";

export interface ConfigLayers {
  readonly base: ConfigText;
  readonly stage: ConfigText | undefined;
  readonly apps: ReadonlyMap<string, ConfigText>;
}

/** @throws ConfigFileError if `config/<name>` is missing, or a file is not valid YAML */
export async function readConfigLayers(
  projectFolder: string,
  name: string,
  stage: string | undefined,
): Promise<ConfigLayers> {
  const base =
    (await readIfThere(projectFolder, `config/${name}`)) ??
    // An app may omit the file; the package has one.
    (isPackage ? await readIfThere(packageFolder, `config/${name}`) : undefined);
  if (base === undefined) {
    throw new ConfigFileError(`config/${name}: cannot be read. It must exist, even if it changes nothing.`);
  }
  const apps = new Map<string, ConfigText>();
  for (const appId of await foldersIn(projectFolder, "config/apps")) {
    const own = await readIfThere(projectFolder, `config/apps/${appId}/${name}`);
    if (own !== undefined) apps.set(appId, own);
  }
  const anew = stage && (await readIfThere(projectFolder, `config/stages/${stage}/${name}`));
  return { base, stage: anew || undefined, apps };
}

export function textsOf({ base, stage, apps }: ConfigLayers, appId = ""): ConfigTexts {
  return [base, ...[stage, apps.get(appId)].filter((text) => text !== undefined)];
}

/**
 * @returns undefined if the file is missing or a folder
 * @throws ConfigFileError if it cannot be read, such as a broken link, or is not YAML in UTF-8
 */
export async function readIfThere(projectFolder: string, file: string) {
  const path = join(projectFolder, file);
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return undefined;
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new ConfigFileError(`${file}:1:1: cannot be read (${isRecord(error) ? error.code : error})`);
  });
  if (!isUtf8(bytes)) throw new ConfigFileError(`${file}:1:1: is not UTF-8; let your editor save it as that`);
  return readConfigText(file, bytes.toString());
}

/** @throws ConfigFileError also if it is missing */
export async function readNeeded(projectFolder: string, file: string): Promise<ConfigText> {
  const text = await readIfThere(projectFolder, file);
  if (text !== undefined) return text;
  throw new ConfigFileError(`${file}: cannot be read. It must be there.`);
}

export async function entriesIn(projectFolder: string, folder: string) {
  const names = await readdir(join(projectFolder, folder)).catch(() => []);
  const entries = names
    .filter((name) => !name.startsWith("."))
    .map(async (name) => {
      const found = await stat(join(projectFolder, folder, name)).catch(() => undefined);
      return { name, isFolder: found?.isDirectory() ?? false };
    });
  return (await Promise.all(entries)).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export async function foldersIn(projectFolder: string, folder: string) {
  const entries = await entriesIn(projectFolder, folder);
  return entries.filter(({ isFolder }) => isFolder).map(({ name }) => name);
}
