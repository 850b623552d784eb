import { entriesIn } from "./config-layers.ts";
import { hintAt } from "./nearest-name.ts";

export interface KnownNames {
  readonly files: readonly string[];
  readonly rootFiles: readonly string[];
  readonly stages: readonly string[];
  readonly appIds: readonly string[];
}

interface Folder {
  readonly files: readonly string[];
  /** By name; undefined: do not look inside. */
  readonly folders: Readonly<Record<string, Folder | undefined>>;
  readonly unknown?: (name: string) => string;
}

export function checkConfigFolders(
  projectFolder: string,
  { files, rootFiles, stages, appIds }: KnownNames,
): Promise<readonly string[]> {
  const appFiles = files.flatMap((file) => (file.startsWith("app/") ? file.slice("app/".length) : []));
  const app = { files: appFiles, folders: {} };
  const ofNames = (names: readonly string[], what: string, source: string): Folder => ({
    files: [],
    folders: Object.fromEntries(names.map((name) => [name, { files, folders: { app } }])),
    unknown: (name) => `${what} "${name}"${hintAt(name, names)} (${source})`,
  });
  return check(projectFolder, "config", {
    files: [...rootFiles, ...files],
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
function mistakenFile(folder: string, name: string, known: readonly string[]): readonly string[] {
  if (known.includes(name)) return [];
  if (known.includes(`app/${name}`))
    return [`${folder}/${name}:1:1: nothing reads it here: its place is ${folder}/app/${name}`];
  const isMeant = known.includes(name.replace(/(\.(json|txt|toml|yml\.txt))?$/, ".yml"));
  if (!isMeant && !/\.ya?ml$/i.test(name)) return [];
  const schemas = "what a file may hold stands in functions/own/config-schemas.ts";
  return [`${folder}/${name}:1:1: nothing reads a file of this name here${hintAt(name, known)} (${schemas})`];
}
