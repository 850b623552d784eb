import { readConfigLayers } from "../../build/config-layers.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import { readServedApps } from "../../build/served-apps.ts";
import { readStages } from "../../build/stages.ts";
import { isRecord } from "../../lib/base/json.ts";
import type { Subject } from "../../lib/operate/app-as-code/define-subject.ts";
import { subjects } from "../../lib/operate/app-as-code/subjects.ts";
import { CliError, wrongUse } from "../cli-error.ts";

/** By app and subject. */
export type ContentOf = (appId: string, subject: string) => unknown;

/**
 * Merged with the overrides of the stage and its apps.
 * @throws ConfigFileError
 */
export async function readDeclaredFiles(projectFolder: string, stage: string): Promise<ContentOf> {
  const files = await Promise.all(
    subjects.map(async ({ name }) => {
      const file = `app/${name}.yml`;
      return [name, settingsOf(file, await readConfigLayers(projectFolder, file, stage))] as const;
    }),
  );
  const byName = new Map(files);
  return (appId, subject) => byName.get(subject)?.apps[appId] ?? byName.get(subject)?.default;
}

/**
 * All apps of the stage if none is named.
 * @throws CliError, ConfigFileError
 */
export async function chooseApps(
  projectFolder: string,
  stage: string,
  named: readonly string[],
): Promise<readonly string[]> {
  const stages = [...(await readStages(projectFolder)).keys()];
  const served = (await readServedApps(projectFolder, stages)).get(stage) ?? [];
  const strange = named.find((appId) => !served.includes(appId));
  if (strange !== undefined) {
    throw wrongUse(
      `config/apps.yml names no app "${strange}" for the stage ${stage}.`,
      served.length === 0 ? "It lists no app." : `It names ${served.join(", ")}.`,
    );
  }
  if (served.length > 0) return named.length === 0 ? served : [...new Set(named)];
  throw new CliError(
    "notThere",
    "NO_APP",
    `The stage ${stage} serves no app.`,
    "Add one: npx cometchat-functions setup --app <appId>",
  );
}

/**
 * All if none is named.
 * @throws CliError
 */
export function chooseSubjects(named: readonly string[]): readonly Subject[] {
  const strange = named.find((name) => !subjects.some((subject) => subject.name === name));
  if (strange !== undefined) {
    throw wrongUse(
      `There is no file config/app/${strange}.yml.`,
      `--only takes ${subjects.map(({ name }) => name).join(", ")}.`,
    );
  }
  return subjects.filter(({ name }) => named.length === 0 || named.includes(name));
}

export function declaresAnything(content: unknown): boolean {
  return isRecord(content) && Object.values(content).some((value) => Object.keys(Object(value)).length > 0);
}
