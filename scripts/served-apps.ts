import * as z from "zod/mini";
import { readIfThere } from "./config-layers.ts";
import { ConfigFileError, type ConfigText, placeIn } from "./config-text.ts";
import { hintAt } from "./nearest-name.ts";
import { parseBy } from "./parse-by.ts";
import { offsetOf } from "./place-of.ts";

/** What config/apps.yml may hold: the ids of the apps that each stage serves. */
export const appsSchema = z.record(z.string(), z.nullable(z.array(z.string())));

/** The ids of the apps by stage; a stage that is not named serves none. */
export type AppsByStage = ReadonlyMap<string, readonly string[]>;

/**
 * Reads config/apps.yml of a project.
 * @param stages The stages that there are; without them nothing is said of their names.
 * @throws ConfigFileError
 */
export async function readServedApps(
  projectFolder: string,
  stages?: readonly string[],
): Promise<AppsByStage> {
  const text = await readIfThere(projectFolder, "config/apps.yml");
  if (text === undefined) throw new ConfigFileError("config/apps.yml: cannot be read. It must be there.");
  const apps = Object.entries(text.content === null ? {} : parseBy(appsSchema, [text]));
  const mistakes = [
    ...Object.keys(Object(text.content)).flatMap((stage) => unknownStage(stage, text, stages)),
    ...apps.flatMap(([stage, appIds]) => wrongIds(stage, appIds ?? [], text)),
  ];
  if (mistakes.length > 0) throw new ConfigFileError(mistakes.join("\n"));
  return new Map(apps.map(([stage, appIds]) => [stage, appIds ?? []]));
}

/** Says why no app can have an id, if none can: it becomes a part of addresses, and the name of a folder and a secret. */
export function problemOfAppId(appId: string): string | undefined {
  // What an address of the platform has room for: docs/platform/addressing-and-keys.md#base-addresses.
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(appId)) {
    return "an app's id has up to 63 letters, digits and inner dashes; one id stands in each line";
  }
  // No function may read secrets whose name begins so: infrastructure/rights.yml.
  return /^management(-|$)/.test(appId)
    ? "no app can have this id: the deployment keeps secrets of its own under such names"
    : undefined;
}

function wrongIds(stage: string, appIds: readonly string[], text: ConfigText): readonly string[] {
  return appIds.flatMap((appId, index) => {
    const isTwice = appIds.indexOf(appId) < index;
    const problem = problemOfAppId(appId) ?? (isTwice ? "it stands here twice" : undefined);
    const place = placeIn(text, offsetOf(text.document, [stage, index]));
    return problem === undefined ? [] : [`${place}: ${stage}: ${JSON.stringify(appId)}: ${problem}`];
  });
}

function unknownStage(
  stage: string,
  text: ConfigText,
  stages: readonly string[] | undefined,
): readonly string[] {
  if (stages === undefined || stages.includes(stage)) return [];
  const hint = `${hintAt(stage, stages)} (config/stages.yml names the stages)`;
  return [`${placeIn(text, offsetOf(text.document, [stage]))}: there is no stage "${stage}"${hint}`];
}
