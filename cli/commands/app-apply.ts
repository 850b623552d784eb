import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";
import { hideSecrets } from "../../lib/base/known-secrets.ts";
import { isDone } from "../../lib/operate/app-as-code/apply-plan.ts";
import {
  agreeToPlans,
  applyPlans,
  type MadePlan,
  makePlans,
  type PlanReport,
  type PlanWish,
  targetOf,
  toPlanReport,
} from "../app/make-plans.ts";
import { noteDeployedFiles } from "../app/note-deployed-files.ts";
import { isPartlyCompared, printPlan } from "../app/plan-report.ts";
import { refused, wrongUse } from "../cli-error.ts";
import { defineCommand, flag, optionalArgument, text, texts } from "../command.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";

const planSchema = z.object({
  version: z.literal(1),
  target: z.object({ kind: z.string(), stage: z.string(), region: z.string(), account: z.string() }),
  only: z.array(z.string()),
  switches: z.object({ mayDelete: z.boolean(), writesUnknown: z.boolean() }),
  apps: z.array(z.object({ appId: z.string(), state: z.string() })).check(z.minLength(1)),
});

type WrittenPlan = z.infer<typeof planSchema>;

type ApplyResult = { readonly apps: Awaited<ReturnType<typeof applyPlans>> };

export const command = defineCommand({
  description:
    "Compares the app with config/app/, field by field, shows the plan, asks and applies it. Undeclared resources are listed and left unchanged. With a plan's file it does what was planned, and nothing if the app or config/app/ has changed since. May be repeated: it continues where it stopped.",
  examples: `
    $ app apply --stage prod
        show the differences, ask, and apply them
    $ app apply --stage prod --dry-run --check
        exit with 1 if something differs, for a pipeline
    $ app apply --local --dry-run --only roles --only webhooks
        compare two files of the local stack's app
    $ app apply --stage prod --dry-run --out plan.json
        save the plan
    $ app apply plan.json --stage prod --yes
        apply it, unless the app has changed since
    $ app apply --stage prod --delete
        also delete what is declared absent
  `,
  arguments: { plan: optionalArgument("the file that --dry-run --out wrote") },
  options: {
    app: texts("<id>", "the app, if the stage serves several; may be repeated (default: all)"),
    only: texts("<file>", "one file of config/app/, such as roles; may be repeated (default: all)"),
    delete: flag("delete what is declared absent, and remove undeclared members"),
    writeUnknown: flag("also write what the platform does not show"),
    dryRun: flag("show the plan, and change nothing"),
    out: text("<file>", "with --dry-run: write the plan as JSON"),
    check: flag("with --dry-run: exit with 1 if there is something to do"),
  },
  changes: true,
  run: async ({ args, options, ...context }): Promise<PlanReport | ApplyResult> => {
    const { target, edges, out } = context;
    const switches = { mayDelete: options.delete, writesUnknown: options.writeUnknown };
    const typed = { appIds: options.app, only: options.only, switches };
    if (!options.dryRun && (options.check || options.out !== undefined))
      throw wrongUse("--out and --check require --dry-run.");
    if (options.dryRun) {
      if (args.plan !== undefined) throw wrongUse("--dry-run makes a plan, and takes none.");
      const report = toPlanReport(typed, await makePlans(typed, context), context);
      return await writePlan({ ...report, isChecked: options.check }, options.out, edges.projectFolder);
    }
    const file =
      args.plan === undefined ? undefined : await readPlan(resolve(edges.projectFolder, args.plan));
    if (file !== undefined) checkFits(file, typed, target);
    const wish = file === undefined ? typed : { ...file, appIds: file.apps.map(({ appId }) => appId) };
    const made = await makePlans(wish, context);
    if (file !== undefined) checkUnchanged(file, made);
    await agreeToPlans(wish, made, context, target.title);
    const apps = await applyPlans(made, out);
    if (apps.some(({ outcomes }) => outcomes.some(isDone))) await noteDeployedFiles(context);
    if (edges.signal.aborted) {
      printOutcomes({ apps }, out);
      edges.signal.throwIfAborted();
    }
    return { apps };
  },
  print: (result, out) => ("isChecked" in result ? printPlan(result, out) : printOutcomes(result, out)),
  exitCode: (result) => {
    if ("isChecked" in result) return result.isChecked && result.apps.some(needsWork) ? "unwell" : "done";
    const outcomes = result.apps.flatMap((app) => app.outcomes);
    if (outcomes.every(isDone)) return "done";
    const isUntouched = !outcomes.some(isDone) && outcomes.every(({ outcome }) => outcome === "overtaken");
    return isUntouched ? "refused" : "partlyDone";
  },
});

const planHint = "Make one, and review it: npx cometchat-functions app apply --dry-run --out plan.json";

function needsWork({ toDo, steps }: PlanReport["apps"][number]) {
  return toDo > 0 || steps.some((step) => step.action === "blocked" || isPartlyCompared(step));
}

async function writePlan(report: PlanReport, file: string | undefined, projectFolder: string) {
  if (file === undefined) return report;
  const text = `${hideSecrets(JSON.stringify(report, null, 2))}\n`;
  await writeFile(resolve(projectFolder, file), text).catch(() => {
    throw wrongUse(`The plan cannot be written to "${file}".`, "--out needs a file in an existing folder.");
  });
  return report;
}

async function readPlan(file: string) {
  const content = await readFile(file, "utf8").catch(() => undefined);
  if (content === undefined) throw wrongUse(`The plan ${file} cannot be read.`, planHint);
  const plan = planSchema.safeParse(parseJson(content));
  if (plan.success) return plan.data;
  throw wrongUse(`${file} is not a plan.`, planHint);
}

function checkFits(file: WrittenPlan, typed: PlanWish, target: Target) {
  const { mayDelete, writesUnknown } = typed.switches;
  if (typed.appIds.length + typed.only.length > 0 || mayDelete || writesUnknown) {
    throw wrongUse("With a plan, no other options are allowed.", "Give them when you make the plan.");
  }
  const made = file.target;
  if (isDeepStrictEqual(made, targetOf(target))) return;
  throw refused(
    "OTHER_TARGET",
    `The plan was made for the stage ${made.stage} (${made.region}, account ${made.account}), and this is ${target.title}.`,
    "Make a plan for this stage.",
  );
}

function checkUnchanged(file: WrittenPlan, made: readonly MadePlan[]) {
  const changed = file.apps.filter(
    ({ appId, state }) => made.find(({ plan }) => plan.appId === appId)?.plan.state !== state,
  );
  if (changed.length === 0) return;
  throw refused(
    "STATE_CHANGED",
    `The app or its files have changed since the plan was made: ${changed.map(({ appId }) => appId).join(", ")}. Nothing was done.`,
    planHint,
  );
}

function printOutcomes({ apps }: ApplyResult, out: Output) {
  for (const { appId, outcomes, unchanged } of apps) {
    const done = outcomes.filter(isDone).length;
    const others = unchanged === 0 ? "" : `, ${unchanged} as declared`;
    const summary = outcomes.length === 0 ? "nothing to do" : `${done} of ${outcomes.length} changes made`;
    out.line(out.style("bold", `App ${appId}: ${summary}${others}`));
    for (const one of outcomes) {
      const sign = isDone(one) ? out.style("green", "✓") : out.style("red", "✗");
      const why = "cause" in one ? `: ${one.cause}` : "";
      out.line(`  ${sign} ${one.kind} ${one.id}: ${one.outcome}${why}`);
    }
    if (done < outcomes.length) {
      out.line(
        "  Finished steps stay. Fix the cause and repeat the command: it continues with what is left.",
      );
    }
  }
}
