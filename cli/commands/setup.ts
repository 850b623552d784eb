import { parseJson, readText } from "../../lib/base/json.ts";
import { publicUrlOf, webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { readAppSecret } from "../apps/app-secret.ts";
import { openApps } from "../apps/stage-apps.ts";
import { notThere, wrongUse } from "../cli-error.ts";
import { defineCommand, type WorkContext } from "../command.ts";
import { printFindings } from "../doctor/print-findings.ts";
import { chooseApp } from "../setup/app-access.ts";
import { setUpApp, setupOptions } from "../setup/setup-app.ts";

export const command = defineCommand({
  description:
    "Asks for what is missing, proves the key against the platform, creates the app's secret, lists the app, deploys if needed, changes the app to match config/app/, registers the webhook for the triggers, and ends with the doctor's checks. It detects finished steps: after an interruption, run it again to continue. Without management credentials it prints what to enter in the dashboard.",
  examples: `
    $ setup --stage prod
        ask for what is missing
    $ setup --stage prod --app 2379ab41f5c8 --app-region eu --api-key-stdin --by-hand --yes < key.txt
        for scripts
    $ setup --stage prod --app 2379ab41f5c8 --dry-run
        show each question and change, up to the end
    $ setup --stage prod --app 2379ab41f5c8 --show-password
        show the webhook's password for the dashboard
    $ setup --stage prod --new-address
        replace an address that strangers know
    $ setup --local
        repair the webhook of the local stack
  `,
  options: setupOptions,
  changes: true,
  run: async ({ options, ...context }) =>
    options.showPassword ? await showPassword(options.app, context) : await setUpApp(context, options),
  print: (result, out) => {
    const { findings, triggersOn, appId, servedApps } = result;
    const { outcome, url, username, triggers } = result.webhook;
    printFindings(findings, out);
    out.line();
    if (outcome === "by hand")
      out.line(`\
Enter this in the platform's dashboard, Application > Webhooks:
  address              ${url}
  Basic authentication on
  username             ${username}
  password             shown by: npx cometchat-functions setup --app ${appId} --show-password
  retry on failure     on
  triggers             ${triggers.join(", ") || "none, because no trigger is on"}
Then prove it: npx cometchat-functions doctor
`);
    if (result.oldAddresses.length > 0) {
      const base = url.replace(/\/webhooks\/[^/]+$/, "");
      const ending = outcome === "by hand" ? " --end-old-address" : "";
      out.line("The earlier addresses are still served. Enter the new ones where callers use them:");
      for (const served of servedApps) {
        out.line(`\
  webhook              ${webhookUrlOf(base, served)}
  moderation           ${base}/moderation/${served}
  before-message       ${base}/before-message/${served}`);
      }
      out.line(`\
  logins, own code     ${publicUrlOf(base)}/
Then end the earlier ones: npx cometchat-functions setup --app ${appId}${ending}
`);
    }
    out.line(
      triggersOn.length === 0
        ? "No trigger is on: nothing acts, and no messages are sent. Turn some on in config/triggers.yml, deploy, and run this again."
        : `These are on and act on the events of ${appId} from now on: ${triggersOn.join(", ")}.`,
    );
  },
  exitCode: ({ findings, webhook, oldAddresses }) => {
    if (webhook.outcome === "by hand" || oldAddresses.length > 0) return "partlyDone";
    return findings.some(({ status }) => status === "wrong") ? "unwell" : "done";
  },
});

async function showPassword(typed: string | undefined, context: WorkContext): Promise<undefined> {
  const { target, edges, out } = context;
  if (!out.isForReading || !edges.stdout.isTerminal) {
    throw wrongUse(
      "The password is shown on a terminal only.",
      "Run it at a terminal, without --json and pipes.",
    );
  }
  const appId = await chooseApp(typed, context);
  const apps = await openApps(target, edges);
  const { state, fields } = await readAppSecret(apps, appId);
  const { webhookUsername = "", webhookPassword = "" } = state === "of another app" ? {} : fields;
  if (typeof webhookPassword !== "string" || webhookPassword === "") {
    throw notThere(
      "NO_PASSWORD",
      `The secret ${apps.secretIdOf(appId)} is ${state}: it has no password to show.`,
      `Make it: npx cometchat-functions setup --app ${appId}`,
    );
  }
  const pending = await apps.secrets.read(apps.webhookSecretIdOf(appId), "AWSPENDING");
  const pendingPassword = readText(parseJson(pending ?? ""), "webhookPassword") ?? webhookPassword;
  await context.record();
  // Bypasses the output, which hides secrets.
  edges.stdout.write(`username  ${webhookUsername}\npassword  ${webhookPassword}\n`);
  if (pendingPassword === webhookPassword) return;
  edges.stdout.write(`pending   ${pendingPassword}\n`);
  out.line("A rotation is in progress: the pending password is its new one, and both are accepted.");
  out.line(`See how to continue: npx cometchat-functions rotate finish --dry-run --app ${appId}`);
}
