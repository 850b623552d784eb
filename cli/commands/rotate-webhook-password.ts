import { runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import { defineCommand } from "../command.ts";
import { flag } from "../options.ts";
import { openRotation } from "../rotation/open-rotation.ts";
import { planRotation } from "../rotation/plan-rotation.ts";
import { readOverlap, rotationOptions, toWish } from "../rotation/rotation-options.ts";
import {
  printRotation,
  type RotationCommandResult,
  rotationResultSchema,
  toCommandResult,
} from "../rotation/rotation-result.ts";

const things = ["webhook-password"] as const;

export const command = defineCommand({
  description:
    "Stores a new password as pending, proves that the receiver accepts it, sets it on the platform, makes it the current one, and ends the old one after the overlap. Without management credentials it shows what to enter in the dashboard, and continues with --continue.",
  examples: `
    $ rotate webhook-password --stage prod --app 2379ab41f5c8 --dry-run
        show the steps
    $ rotate webhook-password --stage prod --app 2379ab41f5c8
        replace it; the old password stays valid for an hour
    $ rotate webhook-password --stage prod --app 2379ab41f5c8 --continue
        continue after entering the new one in the dashboard
  `,
  options: {
    ...rotationOptions,
    continue: flag("the new password was entered in the dashboard by hand"),
  },
  changes: true,
  json: rotationResultSchema,
  run: async (context): Promise<RotationCommandResult> => {
    const { confirm, options } = context;
    const { dryRun, revokeNow } = options;
    const overlapMs = readOverlap(options, 60_000);
    const rotation = await openRotation(context, "webhook-password", {
      ...{ named: options.app, tellsPlatform: true, isEntered: options.continue },
    });
    const { app } = rotation;
    const wish = {
      ...toWish(things, options, overlapMs),
      isLeaked: revokeNow && !options.continue,
    };
    if (dryRun)
      return { app, things, state: "planned", begun: false, plan: await planRotation(rotation, wish) };
    await confirm(
      revokeNow
        ? `Replace the webhook password of app ${app} and end the old one now? Everything else with this password (questions, bots, extensions) is refused until it has the new one. Running processes accept the old one for up to 3 more minutes.`
        : `Replace the webhook password of app ${app}? The old one is refused after ${overlapMs / 60_000} min; until then, everything else with it (questions, bots, extensions) must get the new one.`,
    );
    return toCommandResult(app, things, await runRotation(rotation.tools, wish));
  },
  print: printRotation,
});
