import { rememberSecret } from "../../lib/base/known-secrets.ts";
import { isKeyRefused } from "../../lib/operate/rotation/rotate-api-key.ts";
import { runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import { wrongUse } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { flag } from "../options.ts";
import { readSecret } from "../read-secret.ts";
import { openRotation } from "../rotation/open-rotation.ts";
import { planRotation } from "../rotation/plan-rotation.ts";
import { readOverlap, rotationOptions, toWish } from "../rotation/rotation-options.ts";
import {
  mapKeyErrors,
  printRotation,
  type RotationCommandResult,
  rotationResultSchema,
  toCommandResult,
} from "../rotation/rotation-result.ts";

const things = ["api-key"] as const;

export const command = defineCommand({
  description:
    "Creates a key on the platform, stores it as pending, proves it, makes it the current one, and deletes the old one after the overlap. A key that the platform refuses is replaced immediately, even during an overlap: by one created with another working key of the secret, else by one from the dashboard.",
  examples: `
    $ rotate api-key --stage prod --app 2379ab41f5c8 --dry-run
        show the steps
    $ rotate api-key --stage prod --app 2379ab41f5c8
        replace it; the old key stays valid for an hour
    $ rotate api-key --stage prod --app 2379ab41f5c8 --revoke-now
        after a leak: end all keys except a new one now
    $ rotate api-key --stage prod --app 2379ab41f5c8 --api-key-stdin --yes < key
        replace a key that no longer works
  `,
  options: {
    ...rotationOptions,
    apiKeyStdin: flag(
      "read a key made in the dashboard from standard input; on a terminal, ask for it without showing it",
    ),
  },
  changes: true,
  json: rotationResultSchema,
  run: async (context): Promise<RotationCommandResult> => {
    const { edges, out, options, confirm } = context;
    const { dryRun, revokeNow, apiKeyStdin } = options;
    const overlapMs = readOverlap(options, leastOverlapMs);
    const givenKey = apiKeyStdin ? readKey(await readSecret(edges, question)) : undefined;
    const rotation = await openRotation(context, "api-key", { named: options.app, givenKey });
    const { app } = rotation;
    const wish = toWish(things, options, overlapMs);
    if (dryRun)
      return { app, things, state: "planned", begun: false, plan: await planRotation(rotation, wish) };
    await confirm(
      revokeNow
        ? `Replace the API key of app ${app} and delete every other key of its secret now? Calls with the old key fail until each function has read the new one: events wait some seconds and are then handled. Other servers that use the key stop working.`
        : `Replace the API key of app ${app}? The old one is deleted after ${overlapMs / 60_000} min; other servers that use it stop working then.`,
    );
    const run = async () => {
      try {
        return await runRotation(rotation.tools, wish);
      } catch (error) {
        if (!isKeyRefused(error) || givenKey !== undefined || edges.ask === undefined) throw error;
        out.note(`The platform refuses the key of app ${app}, so it cannot make another one.`);
        return await runRotation(rotation.withKey(readKey(await readSecret(edges, question))), wish);
      }
    };
    return toCommandResult(app, things, await mapKeyErrors(app, run()));
  },
  print: printRotation,
});

const question = "A key of scope fullAccess, from the dashboard:";

/** Functions may use a key for 3 minutes after its replacement, their calls take up to 2. */
const leastOverlapMs = 300_000;

function readKey(typed: string): string {
  const key = typed.trim();
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw wrongUse(
      key === "" ? "No API key was given." : "This is not an API key: it contains spaces or line breaks.",
      "Type or paste the key alone, or write it to standard input: … --api-key-stdin --yes < key",
    );
  }
  rememberSecret(key);
  return key;
}
