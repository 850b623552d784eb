import { type AppGround, appsFileOf } from "./app-ground.ts";
import { type AppAccess, type PutSecretOutcome, putAppSecret } from "./app-secret.ts";
import { editAppsFile } from "./edit-apps-file.ts";
import type { SecretStore } from "./secret-store.ts";

export interface AddedApp {
  readonly secret: PutSecretOutcome;
  readonly list: "added" | "unchanged";
}

/**
 * Makes a stage serve an app from its next deploy on. Writes the secret first and then the line in
 * config/apps.yml, so that every listed app has a secret. May be repeated after any failure; does not touch
 * other apps.
 * @throws CliError if the secret holds something else, or the file cannot be edited; the errors of Secrets
 *   Manager's client
 */
export async function addApp(
  access: AppAccess,
  place: {
    readonly projectFolder: string;
    readonly stage: string;
    readonly ground: AppGround;
    readonly secrets: SecretStore;
    readonly token: () => string;
  },
): Promise<AddedApp> {
  const { projectFolder, stage, ground, secrets, token } = place;
  const { appId } = access;
  const secret = await putAppSecret(secrets, { ...access, secretId: ground.secretIdOf(appId), token });
  const isAdded = await editAppsFile(appsFileOf(projectFolder), stage, (listed) =>
    listed.includes(appId) ? listed : [...listed, appId],
  );
  return { secret, list: isAdded ? "added" : "unchanged" };
}
