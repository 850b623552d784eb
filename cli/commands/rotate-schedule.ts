import * as z from "zod/mini";
import { readConfigLayers } from "../../build/config-layers.ts";
import { settingsOf } from "../../build/load-config-file.ts";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { openAppSecrets } from "../../lib/operate/rotation/app-secrets.ts";
import { rotatedThings } from "../../lib/operate/rotation/rotated-things.ts";
import {
  type RotationSettings,
  rotationSettingsSchema,
} from "../../lib/operate/rotation/rotation-settings.ts";
import { chooseApps } from "../app/declared-files.ts";
import { defineCommand } from "../command.ts";
import { flag, texts } from "../options.ts";

const changeSchema = z.strictObject({
  app: z.string(),
  /** The secret's name. */
  secret: z.string(),
  /** `missing`: the app has no secret yet. */
  does: z.enum(["turn on", "change", "turn off", "leave", "missing"]),
  /** Absent if not at all. */
  everyDays: z.optional(z.number()),
});

type ScheduleChange = z.infer<typeof changeSchema>;

const resultSchema = z.strictObject({
  apps: z.array(changeSchema),
  isDone: z.boolean(),
});

export const command = defineCommand({
  description:
    "Turns the rotation of each app's secret on or off and sets its interval, as config/rotation.yml says for the stage and the app. The rotating function reads the deployed version of that file: deploy first.",
  examples: `
    $ rotate schedule --stage prod --dry-run
        show what would be turned on and off
    $ rotate schedule --stage prod
        apply it to every app of the stage
  `,
  options: {
    app: texts("<id>", "one app; may be repeated (default: all of the stage)"),
    dryRun: flag("show what would be done, and change nothing"),
  },
  changes: true,
  json: resultSchema,
  run: async ({ target, edges, out, options, confirm }) => {
    const { callAws, stage } = target;
    const { projectFolder, token } = edges;
    const stack = await target.stack();
    const lambdaArn = stack.output("RotateFunctionArn");
    const prefix = stack.output("SecretPrefix");
    const wantedFor = await readRotationSettings(projectFolder, stage);
    const apps: ScheduleChange[] = [];
    for (const app of await chooseApps(projectFolder, stage, options.app)) {
      out.progress(`looking at ${app}`);
      const { rotate, everyDays } = wantedFor(app);
      for (const { secretId, things } of await secretsOf(callAws, prefix, app)) {
        const isWanted = rotate?.some((thing) => things.includes(thing)) ?? false;
        apps.push(await planSchedule(callAws, { app, secret: secretId }, isWanted, everyDays, lambdaArn));
      }
    }
    const changes = apps.filter(({ does }) => does !== "leave" && does !== "missing");
    if (options.dryRun || changes.length === 0) return { apps, isDone: false };
    await confirm(`Change what Secrets Manager rotates, for ${changes.length} secrets?`);
    for (const change of changes) {
      out.progress(`${change.does}: ${change.app}`);
      await applySchedule(callAws, change, lambdaArn, token());
    }
    return { apps, isDone: true };
  },
  print: ({ apps, isDone }, out) => {
    for (const { secret, does, everyDays } of apps) {
      out.line(`${secret}: ${said[does]}${everyDays === undefined ? "" : `, every ${everyDays} days`}`);
    }
    out.line(isDone ? "Done." : "Nothing was changed.");
  },
});

const said = {
  "turn on": "rotates from now on",
  change: "rotates at a new interval",
  "turn off": "rotates no longer",
  leave: "unchanged",
  missing: "does not exist yet",
} as const;

const fileName = "rotation.yml";

/** @throws ConfigFileError */
async function readRotationSettings(
  projectFolder: string,
  stage: string,
): Promise<(appId: string) => RotationSettings> {
  const { apps, default: shared } = settingsOf(
    fileName,
    await readConfigLayers(projectFolder, fileName, stage),
  );
  return (appId) => rotationSettingsSchema.parse(apps[appId] ?? shared);
}

/** Returns an app's secrets by name, and what of them can be rotated. */
async function secretsOf(callAws: AwsCaller, prefix: string, app: string) {
  try {
    return (await openAppSecrets(callAws, prefix, app)).map(({ secret, things }) => ({
      ...{ secretId: secret.secretId, things },
    }));
  } catch (error) {
    if (isNotFound(error)) return [{ secretId: secretIdOf(prefix, app), things: rotatedThings }];
    throw error;
  }
}

/** Compares Secrets Manager's schedule with the wanted one. @throws AwsCallError */
async function planSchedule(
  callAws: AwsCaller,
  named: Pick<ScheduleChange, "app" | "secret">,
  isWanted: boolean,
  everyDays: number,
  lambdaArn: string,
): Promise<ScheduleChange> {
  try {
    const is = describedSchema.parse(await call(callAws, "DescribeSecret", { SecretId: named.secret }));
    if (!isWanted) return { ...named, does: is.RotationEnabled === true ? "turn off" : "leave" };
    if (is.RotationEnabled !== true) return { ...named, does: "turn on", everyDays };
    const isSame =
      is.RotationLambdaARN === lambdaArn && is.RotationRules?.AutomaticallyAfterDays === everyDays;
    return { ...named, does: isSame ? "leave" : "change", everyDays };
  } catch (error) {
    if (isNotFound(error)) return { ...named, does: "missing" };
    throw error;
  }
}

/**
 * Turning on does not rotate yet: Secrets Manager only asks the function whether it could. May be repeated.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
async function applySchedule(
  callAws: AwsCaller,
  { secret: secretId, does, everyDays }: ScheduleChange,
  lambdaArn: string,
  token: string,
): Promise<void> {
  if (does === "turn off") await call(callAws, "CancelRotateSecret", { SecretId: secretId });
  if (does !== "turn on" && does !== "change") return;
  await call(callAws, "RotateSecret", {
    ...{ SecretId: secretId, ClientRequestToken: token, RotationLambdaARN: lambdaArn },
    RotationRules: { AutomaticallyAfterDays: everyDays },
    RotateImmediately: false,
  });
}

function call(callAws: AwsCaller, operation: string, input: Readonly<Record<string, unknown>>) {
  return callAws({ service: "secretsmanager", target: `secretsmanager.${operation}`, input });
}

const describedSchema = z.object({
  RotationEnabled: z.optional(z.boolean()),
  RotationLambdaARN: z.optional(z.string()),
  RotationRules: z.optional(z.object({ AutomaticallyAfterDays: z.optional(z.number()) })),
});
