import { type AppAccess, type PutSecretOutcome, putAppSecret } from "./app-secret.ts";
import { editAppsFile } from "./edit-apps-file.ts";
import { appsFileOf, type StageApps } from "./stage-apps.ts";

/** What adding and removing an app needs. */
export type AppsPlace = Pick<
  StageApps,
  "stage" | "projectFolder" | "secrets" | "secretIdOf" | "webhookSecretIdOf" | "versionsOf" | "token"
>;

export interface AddedApp {
  readonly secret: PutSecretOutcome;
  readonly list: "added" | "unchanged";
}

/**
 * Serves an app from the next deploy on. Writes the secret before the line in config/apps.yml, so that every
 * listed app has a secret. May be repeated after any failure.
 * @throws CliError if the secret holds something else, or the file cannot be edited; the errors of Secrets
 * Manager's client
 */
export async function addApp(access: AppAccess, apps: AppsPlace): Promise<AddedApp> {
  const { appId } = access;
  const secret = await putAppSecret(apps, access);
  const isAdded = await editAppsFile(appsFileOf(apps), apps.stage, (listed) =>
    listed.includes(appId) ? listed : [...listed, appId],
  );
  return { secret, list: isAdded ? "added" : "unchanged" };
}
