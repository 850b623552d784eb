import * as z from "zod/mini";
import { keptForNow, type RemovedApp, removeApp } from "../apps/change-apps.ts";
import { listedApps, openApps, readDeployedApps } from "../apps/stage-apps.ts";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { argument, count, flag } from "../options.ts";
import { checkAppId } from "../setup/app-access.ts";
import type { Target } from "../target/target.ts";

const resultSchema = z.strictObject({
  appId: z.string(),
  stage: z.string(),
  list: z.enum(["removed", "unchanged"]),
  secret: z.union([
    z.strictObject({ outcome: z.literal("removed"), recoverableUntil: z.nullable(z.string()) }),
    z.strictObject({
      outcome: z.enum(["already being deleted", "not there", "kept", keptForNow]),
    }),
  ]),
  next: z.string(),
});

export const command = defineCommand({
  description:
    "While deployed functions still serve the app, its secret stays, because they would refuse its events without it: deploy, then run\nthe command again. Other apps are not touched. `setup` restores a removed secret until the printed time.",
  examples: `
    $ apps remove 2379ab41f5c8 --stage prod
        remove it from the list; run again after a deploy to remove the secret
    $ apps remove 2379ab41f5c8 --stage prod --keep-secret
        keep the secret
  `,
  arguments: { appId: argument("the app's id") },
  options: {
    keepSecret: flag("keep the app's secret"),
    now: flag(
      "remove the secret even while deployed functions serve the app: they refuse its events from then on",
    ),
    recoveryDays: count("days in which a removed secret can be restored", {
      least: 7,
      most: 30,
      fallback: 30,
    }),
  },
  changes: true,
  json: resultSchema,
  run: async ({ target, args: { appId }, options, edges, confirm }) => {
    checkAppId(appId);
    const apps = await openApps(target, edges);
    const { stage } = apps;
    const listed = await listedApps(apps);
    const deployed = apps.isDeployed ? await readDeployedApps(target) : [];
    const secret = await apps.secrets.find(apps.secretIdOf(appId));
    // Assume that a deployment that does not say serves the app.
    const isServed = deployed?.includes(appId) ?? true;
    if (!listed.includes(appId) && secret === undefined && deployed?.includes(appId) !== true) {
      throw new CliError(
        "notThere",
        "NO_SUCH_APP",
        `The stage ${stage} has no app ${appId}.`,
        `It has: ${listed.join(", ") || "none"}.`,
      );
    }
    const { keepSecret, recoveryDays } = options;
    const needsSecret = isServed && !options.now;
    const isSecretRemoved = secret?.state === "there" && !keepSecret && !needsSecret;
    await confirm(
      `Remove the app ${appId} from ${target.title}${isSecretRemoved ? `, with its secret (recoverable for ${recoveryDays} days)` : ""}?`,
    );
    const removed = await removeApp(appId, apps, { needsSecret, keepSecret, recoveryDays });
    return { appId, stage, ...removed, next: isServed ? nextOf(appId, target, removed) : webhooksAreLeft };
  },
  print: ({ appId, stage, list, secret, next }, out) => {
    out.line(
      `config/apps.yml, ${stage}: ${list === "removed" ? `does not list ${appId} any more` : "unchanged"}`,
    );
    const until =
      secret.outcome === "removed" && secret.recoverableUntil !== null
        ? `, recoverable until ${secret.recoverableUntil.slice(0, 10)}`
        : "";
    out.line(`secret: ${secret.outcome}${until}`);
    out.line(next);
  },
  exitCode: ({ secret }) => (secret.outcome === keptForNow ? "partlyDone" : "done"),
});

const webhooksAreLeft =
  "Delete its webhooks on the platform, if they still exist: their deliveries are refused.";

function nextOf(appId: string, { kind, stage }: Target, { secret }: RemovedApp): string {
  const isLocal = kind === "local";
  const target = isLocal ? "--local" : `--stage ${stage}`;
  const first = isLocal
    ? "Restart the local stack (npm start)"
    : `Deploy: npx cometchat-functions deploy ${target}`;
  const then = `; then remove the secret: npx cometchat-functions apps remove ${appId} ${target}`;
  return first + (secret.outcome === keptForNow ? then : ".");
}
