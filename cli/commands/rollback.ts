import * as z from "zod/mini";
import { defineCommand } from "../command.ts";
import { openDeployGround } from "../deploy/deploy-ground.ts";
import { listPackages, rollBackService } from "../deploy/roll-back.ts";
import { flag, text } from "../options.ts";
import { changeSchema } from "../stack/changes.ts";

const packagesSchema = z.strictObject({
  packages: z.readonly(
    z.array(z.strictObject({ packagedAt: z.string(), liveAt: z.optional(z.string()), runsNow: z.boolean() })),
  ),
});

const rolledBackSchema = z.strictObject({
  outcome: z.enum(["rehearsed", "rolled back", "unchanged"]),
  from: z.optional(z.string()),
  to: z.string(),
  changes: z.readonly(z.array(changeSchema)),
});

export const rollback = defineCommand({
  name: "rollback",
  summary: "deploy an earlier package again",
  description:
    "Deploys the package that ran before the current one, or the one of --to. The bucket keeps the last " +
    "five. Tables, queues and secrets keep their content. Running flows finish on the code that they started with.",
  examples: [
    ["rollback --stage prod --list", "list the packages"],
    ["rollback --stage prod --rehearse", "show what would change"],
    ["rollback --stage prod", "show what will change, ask, and roll back"],
    ["rollback --stage prod --to 2026-11-22T05:25:29.952Z", "roll back to this package"],
  ],
  options: {
    list: flag("list the packages, and change nothing"),
    rehearse: flag("show what would change, and change nothing"),
    to: text("<time>", "when the package was made, as --list shows it"),
    allowLoss: flag(
      "continue even if something is destroyed that holds data or is an address that others use, or an app is no longer served",
    ),
  },
  changes: true,
  json: z.union([packagesSchema, rolledBackSchema]),
  run: async ({ options, ...context }) => {
    const ground = openDeployGround(context, "The local stack has no earlier packages.");
    const { list, ...wish } = options;
    return list ? { packages: await listPackages(ground) } : await rollBackService(ground, wish);
  },
  print: (result, out) => {
    if ("packages" in result) {
      for (const { packagedAt, liveAt, runsNow } of result.packages) {
        const since = liveAt === undefined ? "not known to have run" : `ran from ${liveAt}`;
        out.line(`${packagedAt}  ${since}${runsNow ? ", runs now" : ""}`);
      }
      if (result.packages.length === 0) out.line("There are none.");
      return;
    }
    out.line(
      {
        rehearsed: "This was a rehearsal: nothing was changed.",
        "rolled back": `The package of ${result.to} is running.`,
        unchanged: `The package of ${result.to} was already running.`,
      }[result.outcome],
    );
  },
});
