import { abandonRotation } from "../../lib/operate/rotation/abandon-rotation.ts";
import { readRotating, takingBackField } from "../../lib/operate/rotation/rotated-things.ts";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { flag } from "../options.ts";
import { openRotation } from "../rotation/open-rotation.ts";
import { appOption, chooseApp } from "../rotation/rotation-options.ts";
import { printRotation, rotationResultSchema, sayTroubles } from "../rotation/rotation-result.ts";

/** Abandons a rotation that is not in use yet. */
export const rotateAbandon = defineCommand({
  name: "rotate abandon",
  summary: "takes a pending rotation back, before it is in use",
  examples: [["rotate abandon --stage prod --app 2379ab41f5c8", "what was in use stays in use"]],
  arguments: {},
  options: {
    app: appOption,
    continue: flag("the old password stands in the dashboard again, entered by hand"),
  },
  target: "required",
  changes: true,
  json: rotationResultSchema,
  run: async ({ target, edges, out, options, confirm }) => {
    const app = await chooseApp(options.app, target, edges);
    const { tools, state, webhooks } = await openRotation({
      ...{ target, edges, out, app, tellsPlatform: true },
      isEntered: options.continue,
    });
    const fields = state.pending?.fields ?? {};
    const things = [...readRotating(fields), ...readRotating(fields, takingBackField)];
    if (things.includes("webhook-password") && webhooks === undefined && !options.continue) {
      throw new CliError(
        `There are no management credentials to tell the platform the password that is in use.`,
        {
          code: "NO_MANAGEMENT",
          exitCode: exitCodes.refused,
          hint: "See that the dashboard has the password of the secret's current version, then add --continue.",
        },
      );
    }
    await confirm(`Take the pending rotation of app ${app} back?`);
    const taken = await sayTroubles(abandonRotation(tools));
    const came = taken.length === 0 ? ("idle" as const) : ("abandoned" as const);
    return { app, things: [...taken], state: came, begun: false };
  },
  print: printRotation,
});
