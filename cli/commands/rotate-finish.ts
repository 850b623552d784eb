import * as z from "zod/mini";
import { abandonRotation } from "../../lib/operate/rotation/abandon-rotation.ts";
import {
  type RotatedThing,
  readRotating,
  rotatedThings,
  takingBackField,
} from "../../lib/operate/rotation/rotated-things.ts";
import { runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { flag } from "../options.ts";
import { type OpenRotation, type OpenRotations, openRotations } from "../rotation/open-rotation.ts";
import { appOption } from "../rotation/rotation-options.ts";
import {
  endOf,
  mapKeyErrors,
  mostUnfinished,
  printRotation,
  type RotationCommandResult,
  rotationResultSchema,
  toCommandResult,
} from "../rotation/rotation-result.ts";
import { printRotationState, readRotationState, rotationStateSchema } from "../rotation/rotation-state.ts";

export const command = defineCommand({
  description:
    "Ends what is over, and continues nothing else. --dry-run shows what is pending, what is still valid and the command that continues. A pending rotation can be abandoned until it is in use.",
  examples: `
    $ rotate finish --stage prod --app 2379ab41f5c8 --dry-run
        show the state of the app's rotation
    $ rotate finish --stage prod --app 2379ab41f5c8
        end what is over; may be run at any time
    $ rotate finish --stage prod --app 2379ab41f5c8 --now
        end the overlap early
    $ rotate finish --stage prod --app 2379ab41f5c8 --abandon
        keep the credentials in use
  `,
  options: {
    app: appOption,
    dryRun: flag("show the state, and change nothing"),
    now: flag("do not wait for the overlap's end"),
    wait: flag("wait for the overlap's end"),
    abandon: flag("abandon a pending rotation, before it is in use"),
    continue: flag("with --abandon, after entering the old password in the dashboard again"),
  },
  changes: true,
  json: z.union([rotationStateSchema, rotationResultSchema]),
  run: async (context) => {
    const { confirm, options, edges } = context;
    const { now, wait, abandon } = options;
    if (abandon && (now || wait)) throw wrongUse("--abandon cannot be combined with --now and --wait.");
    if (options.continue && !abandon) throw wrongUse("--continue requires --abandon.");
    const opened = await openRotations(context, {
      ...{ named: options.app, tellsPlatform: abandon, isEntered: options.continue },
    });
    if (options.dryRun) return readRotationState(opened, edges.now());
    if (abandon) return await abandonPending(opened, options.continue, confirm);
    const [{ app }] = opened;
    await confirm(
      now
        ? `End the old values of app ${app} now? Callers that still use them are refused: functions for some seconds, others permanently.`
        : `End the old values of app ${app} whose overlap is over?`,
    );
    const wish = {
      ...{ overlapMs: 3_600_000, beginsNew: false, bringsIn: false },
      overlap: now ? ("end" as const) : wait ? ("wait" as const) : ("leave" as const),
    };
    const results = [];
    for (const { tools, things } of opened) {
      results.push(await mapKeyErrors(app, runRotation(tools, { ...wish, things })));
    }
    return toCommandResult(app, rotatedThings, mostUnfinished(results));
  },
  exitCode: (result) => ("trouble" in result ? "unwell" : "done"),
  print: (result, out) => {
    if ("overlaps" in result) printRotationState(result, out);
    // The platform was not asked.
    else if (result.state === "overlapping") out.line(endOf(result.app, result.until));
    else printRotation(result, out);
  },
});

async function abandonPending(
  opened: OpenRotations,
  isEntered: boolean,
  confirm: (question: string) => Promise<void>,
): Promise<RotationCommandResult> {
  const [{ app, webhooks }] = opened;
  const pendingIn = ({ state }: OpenRotation) => {
    const fields = state.pending?.fields ?? {};
    return [...readRotating(fields), ...readRotating(fields, takingBackField)];
  };
  const things = opened.flatMap(pendingIn);
  if (things.includes("webhook-password") && webhooks === undefined && !isEntered) {
    throw new CliError(
      "refused",
      "NO_MANAGEMENT",
      "There are no management credentials, so the platform's webhooks cannot be set to the password in use.",
      "Enter the password of the secret's current version in the dashboard, then add --continue.",
    );
  }
  await confirm(`Abandon the pending rotation of app ${app}?`);
  const taken: RotatedThing[] = [];
  // An overlap of the other secret is no reason to stop.
  const pending = opened.filter((one) => things.length === 0 || pendingIn(one).length > 0);
  for (const { tools } of pending) taken.push(...(await abandonRotation(tools)));
  return { app, things: taken, state: taken.length === 0 ? "idle" : "abandoned", begun: false };
}
