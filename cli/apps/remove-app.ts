import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readServedApps } from "../../build/served-apps.ts";
import { CliError } from "../cli-error.ts";
import type { AppsPlace } from "./add-app.ts";
import { editAppsFile } from "./edit-apps-file.ts";
import { appsFileOf, listedApps } from "./stage-apps.ts";

export interface RemovedApp {
  readonly list: "removed" | "unchanged";
  readonly secret:
    | { readonly outcome: "removed"; readonly recoverableUntil: string | null }
    | { readonly outcome: "already being deleted" | "not there" | "kept" | "kept while it is served" };
}

export interface RemoveWish {
  /** By the deployed functions. */
  readonly isServed: boolean;
  readonly keepsSecret: boolean;
  readonly recoveryDays: number;
}

/**
 * Removes an app from a stage: takes it out of config/apps.yml, and removes its secrets, recoverably, once no
 * deployed function serves the app; before that, functions would refuse its events. May be repeated after any
 * failure and after the deploy in between; does not touch other apps.
 * @throws CliError if the file cannot be edited, or the app has files in config/apps/; the errors of Secrets
 * Manager's client
 */
export async function removeApp(
  appId: string,
  apps: AppsPlace,
  { isServed, keepsSecret, recoveryDays }: RemoveWish,
): Promise<RemovedApp> {
  const { stage, secrets } = apps;
  const isListed = (await listedApps(apps)).includes(appId);
  if (isListed) {
    await refuseOwnFiles(appId, apps);
    await editAppsFile(appsFileOf(apps), stage, (others) => others.filter((one) => one !== appId));
  }
  const list = isListed ? "removed" : "unchanged";
  const isRemoved = !keepsSecret && !isServed;
  const webhookSecretId = apps.webhookSecretIdOf(appId);
  if (isRemoved && (await secrets.find(webhookSecretId))?.state === "there") {
    await secrets.remove(webhookSecretId, recoveryDays);
  }
  const secretId = apps.secretIdOf(appId);
  const secret = await secrets.find(secretId);
  if (secret === undefined) return { list, secret: { outcome: "not there" } };
  if (secret.state === "being deleted") return { list, secret: { outcome: "already being deleted" } };
  if (keepsSecret) return { list, secret: { outcome: "kept" } };
  if (isServed) return { list, secret: { outcome: "kept while it is served" } };
  const until = await secrets.remove(secretId, recoveryDays);
  return { list, secret: { outcome: "removed", recoverableUntil: until?.toISOString() ?? null } };
}

/** The build fails for files of an app that no stage serves. */
async function refuseOwnFiles(appId: string, { projectFolder, stage }: AppsPlace): Promise<void> {
  const others = [...(await readServedApps(projectFolder))].filter(([name]) => name !== stage);
  const files = await readdir(join(projectFolder, "config", "apps", appId)).catch(() => []);
  if (files.length === 0 || others.some(([, appIds]) => appIds.includes(appId))) return;
  throw new CliError(
    "refused",
    "APP_HAS_FILES",
    `The app ${appId} has its own configuration. Nothing was changed.`,
    `Delete config/apps/${appId}/ first (${files.join(", ")}): nothing would read it.`,
  );
}
