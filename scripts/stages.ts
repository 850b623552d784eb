import * as z from "zod/mini";
import { isRecord } from "../lib/json.ts";
import { readIfThere } from "./config-layers.ts";
import { ConfigFileError, type ConfigText, placeIn } from "./config-text.ts";
import { parseBy } from "./parse-by.ts";
import { offsetOf } from "./place-of.ts";

/** What config/stages.yml may hold: the stages of this deployment, and what differs between them. */
export const stagesSchema = z.record(
  z.string(),
  z.nullable(
    z.strictObject({
      /** Ids of the apps that the stage serves, with commas. */
      apps: z.optional(z.string().check(z.minLength(1))),
      /** Whether missing messages are counted or handed over (docs/reconcile.md). */
      reconcile: z.optional(z.enum(["off", "rehearse", "hand-over"])),
      /** What becomes of what is not as config/app/ says (docs/app-as-code.md). */
      drift: z.optional(z.enum(["repair", "report", "off"])),
    }),
  ),
);

/** The stages by name, each with the ids of its apps. */
export type Stages = ReadonlyMap<string, readonly string[]>;

/**
 * Reads config/stages.yml of a project.
 * @throws ConfigFileError
 */
export async function readStages(projectFolder: string): Promise<Stages> {
  const text = await readIfThere(projectFolder, "config/stages.yml");
  if (text === undefined) throw new ConfigFileError("config/stages.yml: cannot be read. It must be there.");
  const stages = Object.entries(parseBy(stagesSchema, [text]));
  const mistakes = wrongNames(text);
  if (mistakes.length > 0) throw new ConfigFileError(mistakes.join("\n"));
  return new Map(stages.map(([name, stage]) => [name, toAppIds(stage?.apps)]));
}

/** Names become names of folders, resources and addresses, where odd ones mean something else. */
function wrongNames(text: ConfigText): readonly string[] {
  return Object.entries(isRecord(text.content) ? text.content : {}).flatMap(([name, stage]) => {
    const placeOf = (...path: string[]) => placeIn(text, offsetOf(text.document, path));
    if (!/^[a-z][a-z0-9-]*$/i.test(name)) {
      return [
        `${placeOf(name)}: ${JSON.stringify(name)}: a stage's name has letters, digits and dashes, and begins with a letter`,
      ];
    }
    const apps = isRecord(stage) && typeof stage.apps === "string" ? stage.apps : undefined;
    if (apps === undefined) return [];
    const wrong = toAppIds(apps).filter((appId) => !/^[a-z0-9][a-z0-9_-]*$/i.test(appId));
    const place = `${placeOf(name, "apps")}: ${name}.apps`;
    if (toAppIds(apps).length === 0) return [`${place}: names no app`];
    return wrong.map(
      (appId) => `${place}: no app can have the id ${JSON.stringify(appId)}; several ids stand with commas`,
    );
  });
}

/** Reads ids that stand in a text with commas, as CHAT_APP_IDS has them. */
export function toAppIds(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((appId) => appId.trim())
    .filter((appId) => appId !== "");
}
