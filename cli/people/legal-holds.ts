import { readConfigLayers } from "../../build/config-layers.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import { declaredUsersSchema } from "../../lib/operate/user-seeding/declared-users.ts";

/**
 * Reads the uids under a legal hold, in lower case. A list of a stage or an app adds to the others: replacing
 * them, as other keys do, would end holds silently.
 * @throws ConfigFileError
 */
export async function readLegalHolds(
  projectFolder: string,
  stage: string | undefined,
  app: string,
): Promise<ReadonlySet<string>> {
  const layers = await readConfigLayers(projectFolder, "users.yml", stage);
  const files = [layers.base, layers.stage, layers.apps.get(app)].flatMap((file) => file ?? []);
  const holds = files.flatMap((file) => {
    const alone = { base: file, stage: undefined, apps: new Map() };
    return declaredUsersSchema.parse(settingsOf("users.yml", alone).default).legalHold ?? [];
  });
  return new Set(holds);
}
