import { readStages } from "../../build/stages.ts";
import { isAbsent } from "../../lib/aws/is-not-found.ts";
import { CliError } from "../cli-error.ts";
import { type AppsPlace, listedApps } from "./stage-apps.ts";

/**
 * Returns the listed apps of a stage that have a secret and no webhook secret, as older versions made them.
 */
export async function singleSecretApps(apps: AppsPlace): Promise<readonly string[]> {
  const { secrets, secretIdOf, webhookSecretIdOf } = apps;
  const known = new Map((await secrets.list(`${apps.secretPrefix}/`)).map((secret) => [secret.name, secret]));
  // A list may be minutes old.
  const isThere = async (id: string) => (known.get(id) ?? (await secrets.find(id)))?.state === "there";
  const single: string[] = [];
  for (const appId of await listedApps(apps)) {
    if ((await isThere(secretIdOf(appId))) && !(await isThere(webhookSecretIdOf(appId)))) single.push(appId);
  }
  return single;
}

/**
 * Checks that the functions of this version can read the webhook credentials of all listed apps; not without
 * the right to list secrets.
 * @throws CliError if they cannot
 */
export async function refuseSingleSecrets(apps: AppsPlace): Promise<void> {
  const { projectFolder, stage } = apps;
  if ((await readStages(projectFolder)).get(stage)?.singleSecret === true) return;
  const [appId, ...others] = await singleSecretApps(apps).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  if (appId === undefined) return;
  throw new CliError(
    "refused",
    "NO_WEBHOOK_SECRET",
    `The functions could not check deliveries for ${[appId, ...others].join(", ")}: there is no secret ${apps.webhookSecretIdOf(appId)}. Nothing was changed.`,
    `Make it from the app's secret, and deploy: npx cometchat-functions setup --stage ${stage} --app ${appId}`,
  );
}
