import { abandonRotation } from "../../lib/operate/rotation/abandon-rotation.ts";
import {
  type RotatedThing,
  readRotating,
  takingBackField,
} from "../../lib/operate/rotation/rotated-things.ts";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { flag } from "../options.ts";
import { type OpenRotation, openRotations } from "../rotation/open-rotation.ts";
import { appOption } from "../rotation/rotation-options.ts";
import { printRotation, rotationResultSchema } from "../rotation/rotation-result.ts";

export const rotateAbandon = defineCommand({
  name: "rotate abandon",
  summary: "abandon a pending rotation, before it is in use",
  examples: [["rotate abandon --stage prod --app 2379ab41f5c8", "keep the credentials in use"]],
  options: {
    app: appOption,
    continue: flag("continue after entering the old password in the dashboard again"),
  },
  changes: true,
  json: rotationResultSchema,
  run: async (context) => {
    const { confirm, options } = context;
    const opened = await openRotations(context, {
      ...{ named: options.app, tellsPlatform: true, isEntered: options.continue },
    });
    const [{ app, webhooks }] = opened;
    const pendingIn = ({ state }: OpenRotation) => {
      const fields = state.pending?.fields ?? {};
      return [...readRotating(fields), ...readRotating(fields, takingBackField)];
    };
    const things = opened.flatMap(pendingIn);
    if (things.includes("webhook-password") && webhooks === undefined && !options.continue) {
      throw new CliError(
        "refused",
        "NO_MANAGEMENT",
        `There are no management credentials, so the platform's webhooks cannot be set to the password in use.`,
        "Enter the password of the secret's current version in the dashboard, then add --continue.",
      );
    }
    await confirm(`Abandon the pending rotation of app ${app}?`);
    const taken: RotatedThing[] = [];
    // An overlap of the other secret is no reason to stop.
    const pending = opened.filter((one) => things.length === 0 || pendingIn(one).length > 0);
    for (const { tools } of pending) taken.push(...(await abandonRotation(tools)));
    const came = taken.length === 0 ? ("idle" as const) : ("abandoned" as const);
    return { app, things: taken, state: came, begun: false };
  },
  print: printRotation,
});
