import * as z from "zod/mini";
import { readIfThere } from "./config-layers.ts";
import { ConfigFileError } from "./config-text.ts";
import { parseBy } from "./load-config-file.ts";

/** What config/stages.yml may hold: the stages of this deployment, and what differs between them. */
export const stagesSchema = z.record(
  z.string(),
  z.nullable(
    z.strictObject({
      /** Ids of the apps that the stage serves, with commas. */
      apps: z.optional(z.string().check(z.minLength(1))),
      /** Whether missing messages are counted or handed over (docs/reconcile.md). */
      reconcile: z.optional(z.enum(["off", "rehearse", "hand-over"])),
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
  return new Map(stages.map(([name, stage]) => [name, toAppIds(stage?.apps)]));
}

/** Reads ids that stand in a text with commas, as CHAT_APP_IDS has them. */
export function toAppIds(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((appId) => appId.trim())
    .filter((appId) => appId !== "");
}
