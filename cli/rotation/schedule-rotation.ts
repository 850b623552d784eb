import * as z from "zod/mini";
import { unlessNotFound } from "../../lib/aws/aws-call.ts";
import { ownCredentialsIn } from "../../lib/aws/secrets/parse-secret.ts";
import { secretIdOf } from "../../lib/aws/secrets/read-secret-value.ts";
import { fieldText, rotatedCredentials } from "../../lib/operate/rotation/rotated-credentials.ts";
import { openAppSecret, type SecretState, secretCaller } from "../../lib/operate/rotation/secret-versions.ts";
import { chooseApps } from "../app/make-plans.ts";
import { changeEach } from "../change-each.ts";
import type { Output } from "../output.ts";
import type { RotateContext } from "./open-rotation.ts";
import { readRotationSettings } from "./read-rotation-settings.ts";

const said = {
  "turn on": "rotates from now on",
  change: "rotates at a new interval",
  "turn off": "rotates no longer",
  leave: "unchanged",
  missing: "does not exist yet",
} as const;

export type Schedule = Awaited<ReturnType<typeof scheduleRotation>>;

/**
 * Does not rotate yet. May be repeated.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html
 */
export async function scheduleRotation({
  target: { callAws, stage, stack },
  edges: { projectFolder, token },
  out,
  options,
  confirm,
}: RotateContext) {
  const { output } = await stack();
  const RotationLambdaARN = output("RotateFunctionArn");
  const plan = async (secret: string, isWanted: boolean, AutomaticallyAfterDays: number) => {
    const is = describedSchema.parse(await secretCaller(callAws, secret)("DescribeSecret"));
    if (!isWanted) return { does: is.RotationEnabled === true ? "turn off" : "leave" } as const;
    const isSame =
      is.RotationLambdaARN === RotationLambdaARN &&
      is.RotationRules?.AutomaticallyAfterDays === AutomaticallyAfterDays;
    const does = is.RotationEnabled !== true ? "turn on" : isSame ? "leave" : "change";
    return { does, everyDays: AutomaticallyAfterDays } as const;
  };
  const settingsFor = await readRotationSettings(projectFolder, stage);
  const prefix = output("SecretPrefix");
  const apps = [];
  for (const app of await chooseApps(projectFolder, stage, options.app)) {
    out.progress(`looking at ${app}`);
    const { rotate, everyDays } = settingsFor(app);
    const opened = rotatedCredentials.map((credential) => openAppSecret(callAws, prefix, app, credential));
    const secrets = await unlessNotFound(Promise.all(opened));
    if (secrets === undefined)
      apps.push({ app, secret: secretIdOf(prefix, app), does: "missing" as const, everyDays: undefined });
    for (const { secret, credential, state } of secrets ?? []) {
      const isWanted = rotate?.includes(credential) ?? false;
      const planned = await plan(secret.secretId, isWanted, everyDays);
      apps.push({ app, secret: secret.secretId, ...planned });
      if (planned.does === "turn on" && credential === "webhook-password") warnOfSharing(app, state, out);
    }
  }
  const changed = apps.filter(({ does }) => does !== "leave" && does !== "missing");
  if (options.dryRun || changed.length === 0) return { apps, isDone: false };
  await confirm(`Change what Secrets Manager rotates, for ${changed.length} secrets?`);
  const named = options.app.map((app) => ` --app ${app}`).join("");
  await changeEach(
    changed,
    async ({ app, secret, does, everyDays: AutomaticallyAfterDays }) => {
      out.progress(`${does}: ${app}`);
      const call = secretCaller(callAws, secret);
      if (does === "turn off") return await call("CancelRotateSecret");
      return await call("RotateSecret", {
        ClientRequestToken: token(),
        RotationLambdaARN,
        RotationRules: { AutomaticallyAfterDays },
        RotateImmediately: false,
      });
    },
    {
      did: "Already changed",
      nameOf: ({ secret }) => secret,
      again: `npx cometchat-functions rotate schedule${named}`,
    },
  );
  return { apps, isDone: true };
}

/** A rotation enters the new password at webhooks of the current engine and at bots only. */
function warnOfSharing(app: string, { current }: SecretState, out: Output) {
  const hasOwn = ownCredentialsIn((field) => fieldText(current.fields, field));
  const sharing = ["moderation", "extension", "notification", "legacy"].filter((family) => !hasOwn(family));
  if (sharing.length === 0) return;
  out.note(
    `App ${app}: if the platform calls for ${sharing.join(", ")}, it uses the webhook's password, which no schedule enters there: these calls are refused when the overlap ends. Give them credentials of their own first (docs/triggers.md#credentials-of-each-family).`,
  );
}

export function printSchedule({ apps, isDone }: Schedule, out: Output): void {
  for (const { secret, does, everyDays } of apps) {
    out.line(`${secret}: ${said[does]}${everyDays === undefined ? "" : `, every ${everyDays} days`}`);
  }
  out.line(isDone ? "Done." : "Nothing was changed.");
}

const describedSchema = z.object({
  RotationEnabled: z.optional(z.boolean()),
  RotationLambdaARN: z.optional(z.string()),
  RotationRules: z.optional(z.object({ AutomaticallyAfterDays: z.optional(z.number()) })),
});
