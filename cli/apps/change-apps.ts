import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readServedApps } from "../../build/served-apps.ts";
import { notThere, refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Output } from "../output.ts";
import { removeCommand, type Target } from "../target/target.ts";
import { type AppAccess, putAppSecret } from "./app-secret.ts";
import { editAppsFile } from "./edit-apps-file.ts";
import {
  type AppsPlace,
  appsFileOf,
  checkAppId,
  listedApps,
  openApps,
  readDeployedApps,
} from "./stage-apps.ts";

/**
 * Takes effect with the next deploy. Writes the secret first: every listed app has one. May be repeated.
 * @throws CliError if the secret holds something else, or the file cannot be edited
 */
export async function addApp(access: AppAccess, apps: AppsPlace) {
  const { appId } = access;
  const secret = await putAppSecret(apps, access);
  const isAdded = await editAppsFile(appsFileOf(apps), apps.stage, (listed) =>
    listed.includes(appId) ? listed : [...listed, appId],
  );
  return { secret, list: isAdded ? ("added" as const) : ("unchanged" as const) };
}

interface RemoveWish {
  readonly needsSecret: boolean;
  readonly keepSecret: boolean;
  readonly recoveryDays: number;
}

export const keptForNow = "kept while it is served";

type RemovedApp = Awaited<ReturnType<typeof removeApp>>;

/**
 * Unlists the app and, once no deployed function serves it, removes its secrets, recoverably. Repeatable.
 * @throws CliError if the file cannot be edited
 */
export async function removeApp(appId: string, apps: AppsPlace, wish: RemoveWish) {
  const isListed = (await listedApps(apps)).includes(appId);
  if (isListed)
    await editAppsFile(appsFileOf(apps), apps.stage, (others) => others.filter((one) => one !== appId));
  const list = isListed ? ("removed" as const) : ("unchanged" as const);
  return { list, secret: await removeSecrets(appId, apps, wish) };
}

async function removeSecrets(
  appId: string,
  { secrets, secretIdOf, webhookSecretIdOf }: AppsPlace,
  { needsSecret, keepSecret, recoveryDays }: RemoveWish,
) {
  const remove = async (name: string) => {
    const state = await secrets.stateOf(name);
    if (state === undefined) return { outcome: "not there" } as const;
    if (state === "being deleted") return { outcome: "already being deleted" } as const;
    if (keepSecret) return { outcome: "kept" } as const;
    if (needsSecret) return { outcome: keptForNow } as const;
    const until = await secrets.remove(name, recoveryDays);
    return { outcome: "removed", recoverableUntil: until?.toISOString() ?? null } as const;
  };
  await remove(webhookSecretIdOf(appId));
  return await remove(secretIdOf(appId));
}

/** The build fails for files of an app that no stage serves. */
async function refuseOwnFiles(appId: string, { projectFolder, stage }: AppsPlace) {
  const others = [...(await readServedApps(projectFolder))].filter(([name]) => name !== stage);
  const files = await readdir(join(projectFolder, "config", "apps", appId)).catch(() => []);
  if (files.length === 0 || others.some(([, appIds]) => appIds.includes(appId))) return;
  throw refused(
    "APP_HAS_FILES",
    `The app ${appId} has its own configuration. Nothing was changed.`,
    `Delete config/apps/${appId}/ first (${files.join(", ")}): nothing would read it.`,
  );
}

export type RemovedFromStage = NonNullable<Awaited<ReturnType<typeof removeFromStage>>>;

interface AppRemovalWish extends Omit<RemoveWish, "needsSecret"> {
  readonly dryRun: boolean;
  readonly now: boolean;
}

/** @returns undefined after a rehearsal */
export async function removeFromStage(
  appId: string,
  { dryRun, keepSecret, now, recoveryDays }: AppRemovalWish,
  { target, edges, out, confirm }: WorkContext,
) {
  checkAppId(appId);
  const apps = await openApps(target, edges);
  const { stage } = apps;
  const listed = await listedApps(apps);
  const deployed = apps.isDeployed ? await readDeployedApps(target) : [];
  const state = await apps.secrets.stateOf(apps.secretIdOf(appId));
  const isServed = deployed?.includes(appId) ?? true;
  if (!listed.includes(appId) && state === undefined && deployed?.includes(appId) !== true) {
    throw notThere(
      "NO_SUCH_APP",
      `The stage ${stage} has no app ${appId}.`,
      `It has: ${listed.join(", ") || "none"}.`,
    );
  }
  if (listed.includes(appId)) await refuseOwnFiles(appId, apps);
  const needsSecret = isServed && !now;
  const isSecretRemoved = state === "there" && !keepSecret && !needsSecret;
  const question = `Remove the app ${appId} from ${target.title}${isSecretRemoved ? `, with its secret (recoverable for ${recoveryDays} days)` : ""}?`;
  if (dryRun) {
    out.line(question);
    return undefined;
  }
  await confirm(question);
  const removed = await removeApp(appId, apps, { needsSecret, keepSecret, recoveryDays });
  if (!isServed) return { appId, stage, ...removed, next: webhooksAreLeft };
  const left = listed.filter((one) => one !== appId);
  const strangers = (deployed ?? []).filter((one) => one !== appId && !left.includes(one));
  return { appId, stage, ...removed, next: nextOf(appId, target, removed, { left, strangers }) };
}

export function printRemovedApp({ appId, stage, list, secret, next }: RemovedFromStage, out: Output): void {
  out.line(
    `config/apps.yml, ${stage}: ${list === "removed" ? `does not list ${appId} any more` : "unchanged"}`,
  );
  const until =
    secret.outcome === "removed" && secret.recoverableUntil !== null
      ? `, recoverable until ${secret.recoverableUntil.slice(0, 10)}`
      : "";
  out.line(`secret: ${secret.outcome}${until}`);
  out.line(next);
}

const webhooksAreLeft =
  "Delete its webhooks on the platform, if they still exist: their deliveries are refused.";

/** `strangers`: other apps that are served, and not listed; a colleague may have added them. */
function nextOf(
  appId: string,
  target: Target,
  { secret }: RemovedApp,
  { left, strangers }: Readonly<Record<"left" | "strangers", readonly string[]>>,
) {
  const { kind, stage } = target;
  const isLocal = kind === "local";
  const isLast = left.length === 0;
  const first = isLocal
    ? "Restart the local stack (npm start)"
    : isLast
      ? `No app is left, so remove the stage: ${removeCommand(target)}`
      : `Deploy: npx cometchat-functions deploy --stage ${stage} --drop-app ${appId}`;
  const place = isLocal ? "--local" : `--stage ${stage}`;
  const then = `; then remove the secret: npx cometchat-functions remove --app ${appId} ${place}`;
  const next = first + (secret.outcome === keptForNow ? then : ".");
  if (isLocal || strangers.length === 0) return next;
  const dropped = strangers.map((one) => `--drop-app ${one}`).join(" ");
  const choice = isLast
    ? "first list those that stay."
    : `list those that stay, and add ${dropped} for others.`;
  return `${next}\nThe stage also serves ${strangers.join(", ")}, which config/apps.yml does not list: ${choice}`;
}
