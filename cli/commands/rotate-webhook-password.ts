import { runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import { defineCommand } from "../command.ts";
import { flag } from "../options.ts";
import { openRotation } from "../rotation/open-rotation.ts";
import { planRotation } from "../rotation/plan-rotation.ts";
import { chooseApp, readOverlap, rotationOptions, toWish } from "../rotation/rotation-options.ts";
import {
  printRotation,
  rotationResultSchema,
  sayTroubles,
  toCommandResult,
  toPlanResult,
} from "../rotation/rotation-result.ts";

const things = ["webhook-password"] as const;

/** Replaces the password of the platform's deliveries. Continues where an earlier run stopped. */
export const rotateWebhookPassword = defineCommand({
  name: "rotate webhook-password",
  summary: "replaces the password of an app's webhook, without a refused delivery",
  description:
    "Stores a new password as pending, proves that the receiver accepts it, tells the platform, makes it the current one, and ends the old one after the overlap. Without management credentials it says what to enter in the dashboard, and goes on with --continue.",
  examples: [
    ["rotate webhook-password --stage prod --app 2379ab41f5c8 --plan", "says what it would do"],
    [
      "rotate webhook-password --stage prod --app 2379ab41f5c8",
      "does it; the old password lives an hour longer",
    ],
    [
      "rotate webhook-password --stage prod --app 2379ab41f5c8 --continue",
      "the dashboard has the new one now",
    ],
  ],
  arguments: {},
  options: {
    ...rotationOptions,
    continue: flag("the new password was entered in the dashboard by hand"),
  },
  target: "required",
  changes: true,
  json: rotationResultSchema,
  run: async ({ target, edges, out, options, confirm }) => {
    const { plan, revokeNow } = options;
    const app = await chooseApp(options.app, target, edges);
    const overlapMs = readOverlap(options, 60_000);
    const rotation = await openRotation({
      ...{ target, edges, out, app, tellsPlatform: true },
      isEntered: options.continue,
    });
    const wish = {
      ...toWish(things, options, overlapMs),
      isLeaked: revokeNow && !options.continue, // which continues with the new password
    };
    if (plan) return toPlanResult(app, [...things], await planRotation(rotation, wish));
    await confirm(
      revokeNow
        ? `Replace the webhook password of app ${app} and end the old one at once? Whatever else was given this password (questions, bots, extensions) is refused until it is told the new one, and processes that run now accept the old one for up to 3 minutes more.`
        : `Replace the webhook password of app ${app}? The old one is refused after ${overlapMs / 60_000} min; whatever else was given it (questions, bots, extensions) must be told the new one until then.`,
    );
    return toCommandResult(app, [...things], await sayTroubles(runRotation(rotation.tools, wish)));
  },
  print: printRotation,
});
