import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { hideSecrets } from "../../lib/base/known-secrets.ts";
import { chosenOptions, switchOptions, toSwitches } from "../app/app-options.ts";
import { makePlans, toPlanReport } from "../app/make-plans.ts";
import { type PlanReport, planReportSchema } from "../app/plan-report.ts";
import { printPlan } from "../app/print-plan.ts";
import { wrongUse } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { flag, text } from "../options.ts";

export const appPlan = defineCommand({
  name: "app plan",
  summary: "show what would make the app match config/app/",
  description:
    "Compares the app with config/app/, field by field. Changes nothing. Undeclared resources are listed and left unchanged.",
  examples: [
    ["app plan --stage prod", "show the differences of each app of the stage"],
    [
      "app plan --stage prod --out plan.json",
      "save the plan: app apply refuses it if the app has changed since",
    ],
    ["app plan --stage prod --check", "exit with 1 if something differs, for a pipeline"],
    ["app plan --local --only roles --only webhooks", "plan two files of the local stack's app"],
  ],
  options: {
    ...chosenOptions,
    ...switchOptions,
    out: text("<file>", "write the plan as JSON, for app apply"),
    check: flag("exit with 1 if there is something to do"),
  },
  json: planReportSchema,
  run: async ({ target, edges, out, options }) => {
    const ground = { target, edges, out };
    const wish = { appIds: options.app, only: options.only, switches: toSwitches(options) };
    const report = {
      ...toPlanReport(wish, await makePlans(wish, ground), ground),
      isChecked: options.check,
    };
    if (options.out !== undefined) {
      const file = resolve(edges.projectFolder, options.out);
      await writeFile(file, `${hideSecrets(JSON.stringify(report, null, 2))}\n`).catch(() => {
        throw wrongUse(
          `The plan cannot be written to "${options.out}".`,
          "--out needs a file in an existing folder.",
        );
      });
    }
    return report;
  },
  print: printPlan,
  exitCode: ({ isChecked, apps }) => (isChecked && apps.some(needsWork) ? "unwell" : "done"),
});

function needsWork({ toDo, steps }: PlanReport["apps"][number]): boolean {
  return toDo > 0 || steps.some(({ action }) => action === "blocked");
}
