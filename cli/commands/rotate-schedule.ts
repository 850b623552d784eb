import * as z from "zod/mini";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { chooseApps } from "../app/declared-files.ts";
import { defineCommand } from "../command.ts";
import { flag, texts } from "../options.ts";
import {
  applySchedule,
  planSchedule,
  readRotationSettings,
  type ScheduleChange,
} from "../rotation/rotation-schedules.ts";

const resultSchema = z.strictObject({
  apps: z.array(
    z.strictObject({
      app: z.string(),
      does: z.enum(["turn on", "change", "turn off", "leave", "missing"]),
      everyDays: z.optional(z.number()),
    }),
  ),
  /** False for a rehearsal. */
  isDone: z.boolean(),
});

/** Makes Secrets Manager rotate exactly what config/rotation.yml names. */
export const rotateSchedule = defineCommand({
  name: "rotate schedule",
  summary: "make Secrets Manager rotate what config/rotation.yml names",
  description:
    "Turns the rotation of each app's secret on or off and sets its interval, as config/rotation.yml says for the stage and the app. The rotating function reads the deployed version of that file: deploy first.",
  examples: [
    ["rotate schedule --stage prod --plan", "show what would be turned on and off"],
    ["rotate schedule --stage prod", "apply it to every app of the stage"],
  ],
  options: {
    app: texts("<id>", "one app; may be repeated (default: all of the stage)"),
    plan: flag("show what would be done, and change nothing"),
  },
  changes: true,
  json: resultSchema,
  run: async ({ target, edges, out, options, confirm }) => {
    const { callAws, stage } = target;
    const { projectFolder, token } = edges;
    const stack = await target.stack();
    const lambdaArn = stack.output("RotateFunctionArn");
    const idOf = (app: string) => secretIdOf(stack.output("SecretPrefix"), app);
    const wantedFor = await readRotationSettings(projectFolder, stage);
    const apps: ScheduleChange[] = [];
    for (const app of await chooseApps(projectFolder, stage, options.app)) {
      out.progress(`looking at ${app}`);
      apps.push(await planSchedule(callAws, idOf(app), app, wantedFor(app), lambdaArn));
    }
    const changes = apps.filter(({ does }) => does !== "leave" && does !== "missing");
    if (options.plan || changes.length === 0) return { apps, isDone: false };
    await confirm(`Change what Secrets Manager rotates, for ${changes.length} apps?`);
    for (const change of changes) {
      out.progress(`${change.does}: ${change.app}`);
      await applySchedule(callAws, idOf(change.app), change, lambdaArn, token());
    }
    return { apps, isDone: true };
  },
  print: ({ apps, isDone }, out) => {
    for (const { app, does, everyDays } of apps) {
      out.line(`${app}: ${said[does]}${everyDays === undefined ? "" : `, every ${everyDays} days`}`);
    }
    out.line(isDone ? "Done." : "Nothing was changed.");
  },
});

const said = {
  "turn on": "rotates from now on",
  change: "rotates at a new interval",
  "turn off": "rotates no longer",
  leave: "unchanged",
  missing: "has no secret yet",
} as const;
