import { entriesIn } from "./config-layers.ts";
import { hintAt } from "./nearest-name.ts";

/** What the names in config/ are compared with. */
export interface KnownNames {
  /** Files that stages and apps may say anew. */
  readonly files: readonly string[];
  /** Files that stand in config/ itself alone. */
  readonly rootFiles: readonly string[];
  readonly stages: readonly string[];
  /** The apps that any stage serves. */
  readonly appIds: readonly string[];
}

/**
 * Says which files and folders of a project's config/ nothing would ever read, a line for each: a stage or an app that there
 * is not, a file that has no schema.
 */
export async function checkConfigFolders(
  projectFolder: string,
  known: KnownNames,
): Promise<readonly string[]> {
  const { files, rootFiles, stages, appIds } = known;
  const mistakes = (await entriesIn(projectFolder, "config")).flatMap(({ name, isFolder }) =>
    isFolder ? mistakenFolder(name) : mistakenFile("config", name, [...rootFiles, ...files]),
  );
  mistakes.push(...(await mistakenAppFiles(projectFolder, "config/app", files)));
  const named = [
    {
      kind: "stages",
      names: stages,
      what: "there is no stage",
      where: "config/stages.yml names the stages",
    },
    {
      kind: "apps",
      names: [...new Set(appIds)],
      what: "no stage serves an app",
      where: "config/apps.yml names each stage's apps",
    },
  ];
  for (const { kind, names, what, where } of named) {
    for (const { name, isFolder } of await entriesIn(projectFolder, `config/${kind}`)) {
      const place = `config/${kind}/${name}`;
      if (!isFolder)
        mistakes.push(`${place}:1:1: nothing reads it: only folders stand here, one for each name`);
      else if (!names.includes(name)) {
        const inside = (await entriesIn(projectFolder, place)).map((entry) => `${place}/${entry.name}:1:1`);
        const hint = hintAt(name, names);
        mistakes.push(
          ...(inside.length > 0 ? inside : [place]).map((at) => `${at}: ${what} "${name}"${hint} (${where})`),
        );
      } else {
        for (const entry of await entriesIn(projectFolder, place)) {
          if (entry.isFolder && entry.name === "app")
            mistakes.push(...(await mistakenAppFiles(projectFolder, `${place}/app`, files)));
          else if (entry.isFolder)
            mistakes.push(`${place}/${entry.name}: nothing reads it: only files stand here`);
          else mistakes.push(...mistakenFile(place, entry.name, files));
        }
      }
    }
  }
  return mistakes;
}

function mistakenFolder(name: string): readonly string[] {
  const known = ["stages", "apps", "schemas", "app"];
  return known.includes(name) ? [] : [`config/${name}: nothing reads it${hintAt(name, known)}`];
}

/** What stands in a folder `app`: the files that say how the platform's app is to be. */
async function mistakenAppFiles(
  projectFolder: string,
  folder: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const known = files.flatMap((file) => (file.startsWith("app/") ? [file.slice("app/".length)] : []));
  return (await entriesIn(projectFolder, folder)).flatMap(({ name, isFolder }) =>
    isFolder
      ? [`${folder}/${name}: nothing reads it: only files stand here`]
      : mistakenFile(folder, name, known),
  );
}

/** Beside YAML, a file is blamed that has the name of one that is read, with another ending: `replies.json`. */
function mistakenFile(folder: string, name: string, known: readonly string[]): readonly string[] {
  if (!known.includes(name) && known.includes(`app/${name}`)) {
    return [`${folder}/${name}:1:1: nothing reads it here: its place is ${folder}/app/${name}`];
  }
  const isMeant = known.includes(name.replace(/(\.(json|txt|toml|yml\.txt))?$/, ".yml"));
  if (known.includes(name) || !(isMeant || /\.ya?ml$/i.test(name))) return [];
  const schemas = "what a file may hold stands in functions/own/config-schemas.ts";
  return [`${folder}/${name}:1:1: nothing reads a file of this name here${hintAt(name, known)} (${schemas})`];
}
