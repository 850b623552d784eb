import { rotatedThings } from "../../lib/operate/rotation/rotated-things.ts";
import { runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import { defineCommand } from "../command.ts";
import { flag } from "../options.ts";
import { openRotations } from "../rotation/open-rotation.ts";
import { appOption } from "../rotation/rotation-options.ts";
import {
  endOf,
  mapKeyErrors,
  mostUnfinished,
  printRotation,
  rotationResultSchema,
  toCommandResult,
} from "../rotation/rotation-result.ts";

export const rotateFinish = defineCommand({
  name: "rotate finish",
  summary: "end the credentials that a rotation replaced, after the overlap or now",
  examples: [
    ["rotate finish --stage prod --app 2379ab41f5c8", "end what is over; may be run at any time"],
    ["rotate finish --stage prod --app 2379ab41f5c8 --now", "end the overlap early"],
  ],
  options: {
    app: appOption,
    now: flag("do not wait for the overlap's end"),
    wait: flag("wait for the overlap's end"),
  },
  changes: true,
  json: rotationResultSchema,
  run: async (context) => {
    const { confirm, options } = context;
    const { now, wait } = options;
    const opened = await openRotations(context, { named: options.app });
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
  print: (result, out) => {
    // The platform was not asked.
    if (result.state === "overlapping") out.line(endOf(result.app, result.until));
    else printRotation(result, out);
  },
});
