import * as z from "zod/mini";
import { defineCommand } from "../command.ts";
import { refuseLocal } from "../deploy/refuse-local.ts";
import { listPackages, rollBackService } from "../deploy/roll-back.ts";
import { flag, text } from "../options.ts";
import { changeSchema } from "./deploy.ts";

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
  summary: "goes back to a package that was deployed before",
  description:
    "Deploys again what ran last before the package that runs now, or the one that --to names; the bucket keeps the last " +
    "five. Tables, queues and secrets keep what is in them. Flows that run end on the code that they began with.",
  examples: [
    ["rollback --stage prod --list", "the packages that there are"],
    ["rollback --stage prod --rehearse", "what would change"],
    ["rollback --stage prod", "shows what will change, asks, and goes back"],
    ["rollback --stage prod --to 2026-11-22T05:25:29.952Z", "goes back to a certain package"],
  ],
  arguments: {},
  options: {
    list: flag("list the packages, and change nothing"),
    rehearse: flag("show what would change, and change nothing"),
    to: text("<time>", "when the package was made, as --list tells it"),
    allowLoss: flag(
      "go on although something is destroyed that holds data or is an address of others, or an app is served no more",
    ),
  },
  target: "required",
  changes: true,
  json: z.union([packagesSchema, rolledBackSchema]),
  run: async ({ options, ...ground }) => {
    refuseLocal(ground.target, "The local world has no earlier packages.");
    const { list, ...wish } = options;
    if (list) return { packages: await listPackages(ground) };
    return await rollBackService(ground, wish);
  },
  print: (result, out) => {
    if ("packages" in result) {
      for (const { packagedAt, liveAt, runsNow } of result.packages) {
        const since = liveAt === undefined ? "not noted that it ran" : `ran from ${liveAt}`;
        out.line(`${packagedAt}  ${since}${runsNow ? ", runs now" : ""}`);
      }
      if (result.packages.length === 0) out.line("There are none.");
      return;
    }
    out.line(
      {
        rehearsed: "This was a rehearsal: nothing was changed.",
        "rolled back": `The package of ${result.to} runs now.`,
        unchanged: `The package of ${result.to} runs already.`,
      }[result.outcome],
    );
  },
});
