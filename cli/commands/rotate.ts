import { wrongUse } from "../cli-error.ts";
import { defineCommand, parsedArgument, toFlag } from "../command.ts";
import { finishRotation, printRotationState, type RotationState } from "../rotation/finish-rotation.ts";
import { printRotation, type RotationCommandResult, rotateOptions } from "../rotation/open-rotation.ts";
import { replaceValue } from "../rotation/replace-value.ts";
import { printSchedule, type Schedule, scheduleRotation } from "../rotation/schedule-rotation.ts";

const words = ["api-key", "webhook-password", "finish", "schedule"] as const;

const replacing = ["overlap", "wait", "revokeNow", "pushOut"];

const takes = {
  "api-key": [...replacing, "apiKeyStdin"],
  "webhook-password": [...replacing, "continue"],
  finish: ["now", "wait", "abandon", "continue"],
  schedule: [],
} as const satisfies Record<(typeof words)[number], readonly string[]>;

const whatArgument = {
  ...parsedArgument(
    "api-key, webhook-password, finish or schedule",
    (typed) => words.find((one) => one === typed),
    "cannot be rotated",
    `Type rotate with one of ${words.join(", ")}.`,
  ),
  words,
};

export const command = defineCommand({
  description: [
    "api-key creates a key on the platform, stores it as pending, proves it, makes it the current one, and deletes the old one after the overlap. A key that the platform refuses is replaced immediately, even during an overlap: by one created with another working key of the secret, else by one from the dashboard.",
    "webhook-password stores a new password as pending, proves that the receiver accepts it, sets it on the platform, makes it the current one, and ends the old one after the overlap. Without management credentials it shows what to enter in the dashboard, and continues with --continue.",
    "finish ends what is over, and continues nothing else. --dry-run shows what is pending, what is still valid and the command that continues. A pending rotation can be abandoned until it is in use.",
    "schedule turns Secrets Manager's own rotation of each app's secrets on or off and sets its interval, as config/rotation.yml says. The rotating function reads the deployed version of that file: deploy first.",
  ].join("\n\n"),
  examples: `
    $ rotate api-key --stage prod --app 2379ab41f5c8 --dry-run
        show the steps
    $ rotate api-key --stage prod --app 2379ab41f5c8
        replace it; the old key stays valid for an hour
    $ rotate api-key --stage prod --app 2379ab41f5c8 --revoke-now
        after a leak: end all keys except a new one now
    $ rotate api-key --stage prod --app 2379ab41f5c8 --api-key-stdin --yes < key
        replace a key that no longer works
    $ rotate webhook-password --stage prod --app 2379ab41f5c8 --continue
        continue after entering the new one in the dashboard
    $ rotate finish --stage prod --app 2379ab41f5c8 --dry-run
        show the state of the app's rotation
    $ rotate finish --stage prod --app 2379ab41f5c8 --now
        end the overlap early
    $ rotate finish --stage prod --app 2379ab41f5c8 --abandon
        keep the credentials in use
    $ rotate schedule --stage prod
        apply config/rotation.yml to every app of the stage
  `,
  arguments: { what: whatArgument },
  options: rotateOptions,
  changes: true,
  run: async (context): Promise<RotationState | RotationCommandResult | Schedule> => {
    const { what } = context.args;
    const { app: _app, dryRun: _dryRun, ...others } = context.options;
    for (const [name, value] of Object.entries(others)) {
      const isGiven = value !== undefined && value !== false;
      if (isGiven && !takes[what].some((one) => one === name))
        throw wrongUse(`rotate ${what} does not take ${toFlag(name)}.`);
    }
    if (what === "schedule") return scheduleRotation(context);
    return what === "finish" ? finishRotation(context) : replaceValue(context, what);
  },
  exitCode: (result) => ("trouble" in result ? "unwell" : "done"),
  print: (result, out) => {
    if ("apps" in result) printSchedule(result, out);
    else if ("overlaps" in result) printRotationState(result, out);
    else printRotation(result, out);
  },
});
