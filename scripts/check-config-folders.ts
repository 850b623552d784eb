import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { hintAt } from "./nearest-name.ts";
import type { Stages } from "./stages.ts";

/** What the names in config/ are compared with. */
export interface KnownNames {
  /** Files that stages and apps may say anew. */
  readonly files: readonly string[];
  /** Files that stand in config/ itself alone. */
  readonly rootFiles: readonly string[];
  readonly stages: Stages;
  /** The apps that this build is made for, whatever config/stages.yml says. */
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
  const stageNames = [...stages.keys()];
  const served = [...new Set([...[...stages.values()].flat(), ...appIds])];
  const mistakes = (await entriesIn(projectFolder, "config"))
    .filter(({ isFolder }) => !isFolder)
    .flatMap(({ name }) => mistakenFile("config", name, [...rootFiles, ...files]));
  const named = [
    {
      kind: "stages",
      names: stageNames,
      what: "there is no stage",
      where: "config/stages.yml names the stages",
    },
    {
      kind: "apps",
      names: served,
      what: "no stage serves an app",
      where: "config/stages.yml names each stage's apps",
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
          if (entry.isFolder)
            mistakes.push(`${place}/${entry.name}: nothing reads it: only files stand here`);
          else mistakes.push(...mistakenFile(place, entry.name, files));
        }
      }
    }
  }
  return mistakes;
}

function mistakenFile(folder: string, name: string, known: readonly string[]): readonly string[] {
  if (!/\.ya?ml$/.test(name) || known.includes(name)) return [];
  const schemas = "what a file may hold stands in functions/own/config-schemas.ts";
  return [`${folder}/${name}:1:1: nothing reads a file of this name here${hintAt(name, known)} (${schemas})`];
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** What begins with a dot is an editor's or the system's. */
async function entriesIn(projectFolder: string, folder: string): Promise<readonly Entry[]> {
  const found = await readdir(join(projectFolder, folder), { withFileTypes: true }).catch(() => []);
  return found
    .filter(({ name }) => !name.startsWith("."))
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
