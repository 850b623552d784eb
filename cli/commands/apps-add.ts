import * as z from "zod/mini";
import { addApp } from "../apps/add-app.ts";
import { checkAppId, keyQuestion, readAppInput } from "../apps/app-input.ts";
import { type AppAccess, readAppSecret } from "../apps/app-secret.ts";
import { checkAppKey } from "../apps/check-app-key.ts";
import { readDeployedApps } from "../apps/deployed-apps.ts";
import { listedApps, openApps } from "../apps/stage-apps.ts";
import { wrongUse } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { argument, flag, text } from "../options.ts";
import { readSecret } from "../read-secret.ts";

const resultSchema = z.strictObject({
  appId: z.string(),
  stage: z.string(),
  secret: z.strictObject({ id: z.string(), outcome: z.enum(["made", "restored", "completed", "unchanged"]) }),
  list: z.enum(["added", "unchanged"]),
  isServed: z.boolean(),
  next: z.string(),
});

export const appsAdd = defineCommand({
  name: "apps add",
  summary: "add an app to a stage: its secret, and its line in config/apps.yml",
  description:
    "Asks for the app's region and its REST API key, proves them by one call to the platform, creates the app's secret with a generated\n" +
    "password for its webhooks, and lists the app in config/apps.yml. Other apps are not touched. The functions serve the app from\n" +
    "the next deploy on. May be run again at any time: existing values stay.",
  examples: [
    ["apps add 2379ab41f5c8 --stage prod", "ask for what is missing"],
    ["apps add 2379ab41f5c8 --stage prod --app-region eu --api-key-stdin --yes < key.txt", "for scripts"],
  ],
  arguments: { appId: argument("the app's id, as the platform's dashboard shows it") },
  options: {
    appRegion: text("<us|eu|in>", "the platform's region of the app"),
    apiKeyStdin: flag("read the API key from standard input; on a terminal, ask for it without showing it"),
  },
  changes: true,
  json: resultSchema,
  run: async ({ target, args: { appId }, options, edges, out, confirm }) => {
    checkAppId(appId);
    const apps = await openApps(target, edges);
    const { stage } = apps;
    const secretId = apps.secretIdOf(appId);
    const known = await readAppSecret(apps, appId);
    const held = "access" in known ? known.access : {};
    const isAsked = options.apiKeyStdin || held.apiKey === undefined || held.region === undefined;
    const input = { ...edges, readStdin: () => readSecret(edges, keyQuestion) };
    const access: AppAccess = isAsked
      ? { appId, ...(await readAppInput(options, { edges: input, canAsk: out.isForReading })) }
      : { appId, region: held.region ?? "", apiKey: held.apiKey ?? "" };
    if (!isAsked && options.appRegion !== undefined && options.appRegion !== access.region) {
      throw wrongUse(`The secret ${secretId} says that the app is in the region ${access.region}.`);
    }
    out.progress("checking the key with the platform …");
    await checkAppKey(access, apps.baseUrlTemplate);
    if (known.state !== "complete" || !(await listedApps(apps)).includes(appId)) {
      await confirm(`Add the app ${appId} to ${target.title}?`);
    }
    const { secret, list } = await addApp(access, apps);
    const deployed = apps.isDeployed ? await readDeployedApps(target) : undefined;
    const isServed = deployed?.includes(appId) ?? false;
    return {
      appId,
      stage,
      secret: { id: secretId, outcome: secret },
      list,
      isServed,
      next: nextOf(target, isServed),
    };
  },
  print: ({ appId, stage, secret, list, next }, out) => {
    out.line(`secret ${secret.id}: ${secret.outcome}`);
    out.line(`config/apps.yml, ${stage}: ${list === "added" ? `lists ${appId}` : "unchanged"}`);
    out.line(next);
  },
});

function nextOf(
  { kind, stage }: { readonly kind: "local" | "stage"; readonly stage: string },
  isServed: boolean,
): string {
  if (isServed) return "The functions serve it. Prove it: npx cometchat-functions doctor";
  return kind === "local"
    ? "The functions serve it from the next start of the local stack on: npm start"
    : `The functions serve it from the next deploy on: npx cometchat-functions deploy --stage ${stage}`;
}
