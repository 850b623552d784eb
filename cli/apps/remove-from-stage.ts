import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Output } from "../output.ts";
import { checkAppId } from "../setup/app-access.ts";
import type { Target } from "../target/target.ts";
import { keptForNow, type RemovedApp, removeApp } from "./change-apps.ts";
import { listedApps, openApps, readDeployedApps } from "./stage-apps.ts";

export interface RemovedFromStage {
  appId: string;
  stage: string;
  list: "removed" | "unchanged";
  secret:
    | {
        outcome: "removed";
        recoverableUntil: string | null;
      }
    | {
        outcome: "already being deleted" | "not there" | "kept" | typeof keptForNow;
      };
  next: string;
}

export interface AppRemovalWish {
  readonly dryRun: boolean;
  /** Keep the app's secret. */
  readonly keepSecret: boolean;
  /** Remove the secret even while deployed functions serve the app. */
  readonly now: boolean;
  readonly recoveryDays: number;
}

/**
 * Takes an app out of the list, and removes its secrets once no deployed function serves it. Returns
 * undefined after a rehearsal.
 * @throws CliError
 */
export async function removeFromStage(
  appId: string,
  { dryRun, keepSecret, now, recoveryDays }: AppRemovalWish,
  { target, edges, out, confirm }: WorkContext,
): Promise<RemovedFromStage | undefined> {
  checkAppId(appId);
  const apps = await openApps(target, edges);
  const { stage } = apps;
  const listed = await listedApps(apps);
  const deployed = apps.isDeployed ? await readDeployedApps(target) : [];
  const state = await apps.secrets.stateOf(apps.secretIdOf(appId));
  // Assume that a deployment that does not say serves the app.
  const isServed = deployed?.includes(appId) ?? true;
  if (!listed.includes(appId) && state === undefined && deployed?.includes(appId) !== true) {
    throw new CliError(
      "notThere",
      "NO_SUCH_APP",
      `The stage ${stage} has no app ${appId}.`,
      `It has: ${listed.join(", ") || "none"}.`,
    );
  }
  const needsSecret = isServed && !now;
  const isSecretRemoved = state === "there" && !keepSecret && !needsSecret;
  const question = `Remove the app ${appId} from ${target.title}${isSecretRemoved ? `, with its secret (recoverable for ${recoveryDays} days)` : ""}?`;
  if (dryRun) {
    out.line(question);
    return undefined;
  }
  await confirm(question);
  const removed = await removeApp(appId, apps, { needsSecret, keepSecret, recoveryDays });
  return { appId, stage, ...removed, next: isServed ? nextOf(appId, target, removed) : webhooksAreLeft };
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

function nextOf(appId: string, { kind, stage }: Target, { secret }: RemovedApp): string {
  const isLocal = kind === "local";
  const target = isLocal ? "--local" : `--stage ${stage}`;
  const first = isLocal
    ? "Restart the local stack (npm start)"
    : `Deploy: npx cometchat-functions deploy ${target}`;
  const then = `; then remove the secret: npx cometchat-functions remove --app ${appId} ${target}`;
  return first + (secret.outcome === keptForNow ? then : ".");
}
