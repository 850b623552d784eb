import { readConfigLayers } from "../../build/config-layers.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import {
  type RotationSettings,
  rotationSettingsSchema,
} from "../../lib/operate/rotation/rotation-settings.ts";

const fileName = "rotation.yml";

export async function readRotationSettings(
  projectFolder: string,
  stage: string,
): Promise<(appId: string) => RotationSettings> {
  const { apps, default: usual } = settingsOf(
    fileName,
    await readConfigLayers(projectFolder, fileName, stage),
  );
  return (appId) => rotationSettingsSchema.parse(apps[appId] ?? usual);
}
