import { isRecord } from "../../lib/json.ts";
import { readIfThere } from "../../scripts/config-layers.ts";

export interface StageSettings {
  readonly region: string | undefined;
  readonly isProduction: boolean;
}

/** Reads what config/stages.yml says of each stage. @throws ConfigFileError */
export async function readStageSettings(projectFolder: string): Promise<ReadonlyMap<string, StageSettings>> {
  const content = (await readIfThere(projectFolder, "config/stages.yml"))?.content;
  return new Map(
    Object.entries(isRecord(content) ? content : {}).map(([name, stage]) => {
      const { region, production } = isRecord(stage) ? stage : {};
      return [
        name,
        { region: typeof region === "string" ? region : undefined, isProduction: production === true },
      ];
    }),
  );
}
