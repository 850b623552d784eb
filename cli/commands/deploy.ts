import { addressesOutput } from "../../build/addresses.ts";
import { publicUrlOf } from "../../lib/receive/webhook-url.ts";
import { wrongUse } from "../cli-error.ts";
import { defineCommand, flag, text, texts } from "../command.ts";
import { type Deployed, deployService } from "../deploy/deploy-service.ts";
import { repairStack } from "../deploy/repair-stack.ts";
import { refuseLocal } from "../target/target.ts";

export const command = defineCommand({
  description:
    "Checks that the stage can be deployed, packages the service, shows what will change, asks, and deploys. A stack that a failed deployment left is continued or deleted, after asking. A change that would destroy tables, queues, secrets, the bus or the HTTP API is refused without --allow-loss, one that would stop serving an app without --drop-app, one that would end the address of the webhooks always. A --package that is older than the running one is refused without --allow-loss.",
  examples: `
    $ deploy --stage prod
        show what will change, ask, and deploy
    $ deploy --stage prod --dry-run
        show what would change
    $ deploy --stage prod --repair --dry-run
        show what was changed outside of deployments
    $ deploy --stage prod --yes --json
        for scripts
    $ deploy --stage prod --package ./built
        deploy an existing package of this stage
  `,
  options: {
    dryRun: flag("show what would change, and change nothing"),
    repair: flag("only undo what was changed outside of deployments: mappings, functions, roles, alarms"),
    package: text("<folder>", "deploy the package of `npx serverless package --package <folder>`"),
    allowLoss: flag(
      "continue even if something is destroyed that holds data, or the HTTP API, or the package is older; each loss is shown before the question",
    ),
    dropApp: texts(
      "<appId>",
      "stop serving this app, which config/apps.yml lists no longer; may be repeated",
    ),
    skipChecks: flag("deploy without checking rights, region and limits before"),
  },
  changes: true,
  run: async ({ options, ...context }): Promise<Deployed> => {
    if (!options.repair) {
      refuseLocal(context.target, "There is nothing to deploy: npm start runs what is in this folder.");
      return await deployService(context, options);
    }
    if (options.package === undefined) return await repairStack(context, options);
    throw wrongUse("--repair and --package cannot be combined.");
  },
  print: ({ outcome, outputs }, out, { repair }) => {
    out.line(repair && outcome === "updated" ? "Repaired: it is as it was deployed." : outcomes[outcome]);
    if (outcome === "rehearsed" || repair) return;
    if (outputs.HttpApiUrl !== undefined) {
      out.line(`webhooks go to ${outputs.HttpApiUrl}/webhooks/<appId>`);
      out.line(`logins and your own functions are at ${publicUrlOf(outputs.HttpApiUrl)}/`);
    }
    if (outputs[addressesOutput] === undefined) {
      out.line("Strangers can use up its limits: `npx cometchat-functions setup` gives it a random address.");
    }
    if (outcome === "created")
      out.line("Next: `npx cometchat-functions setup`, which connects the app and proves it.");
  },
});

const outcomes = {
  rehearsed: "Nothing was changed.",
  created: "Deployed for the first time.",
  updated: "Deployed.",
  unchanged: "Deployed already: nothing differs.",
} as const;
