import * as z from "zod/mini";
import { listedApps, readAppGround } from "../apps/app-ground.ts";
import { readDeployedApps } from "../apps/deployed-apps.ts";
import { type ListedApp, listApps, listedAppSchema } from "../apps/list-apps.ts";
import { openSecretStore } from "../apps/secret-store.ts";
import { defineCommand } from "../command.ts";
import { printTable } from "../table.ts";

const resultSchema = z.strictObject({
  stage: z.string(),
  isDeployed: z.boolean(),
  apps: z.readonly(z.array(listedAppSchema)),
});

/** Lists the apps of a stage and what they lack. Changes nothing. */
export const appsList = defineCommand({
  name: "apps list",
  summary: "list the apps of a stage: listed, served, and the state of their secrets",
  description:
    "Exits with 1 if a listed app has no complete secret, or if the functions serve other apps than config/apps.yml lists.",
  examples: [["apps list --stage prod", "list every app that is listed, served or has a secret"]],
  json: resultSchema,
  run: async ({ target, edges, out }) => {
    const ground = await readAppGround(target, edges.env);
    const apps = await listApps({
      listed: await listedApps(edges.projectFolder, target.stage),
      served: ground.isDeployed ? await readDeployedApps(target) : [],
      secrets: openSecretStore(target, edges.token),
      ground,
      progress: (done, all) => {
        if (all > 20) out.progress(`${done} of ${all} secrets`);
      },
    });
    return { stage: target.stage, isDeployed: ground.isDeployed, apps };
  },
  print: ({ stage, isDeployed, apps }, out) => {
    if (!isDeployed) out.line(`The stage ${stage} is not deployed yet.`);
    if (apps.length === 0) {
      out.line(`No app: npx cometchat-functions apps add <appId> ${targetOf(stage)}`);
      return;
    }
    const yesNo = (is: boolean | null) => (is === null ? "?" : is ? "yes" : "no");
    printTable(out, apps, [
      ["app", ({ appId }) => appId],
      ["listed", ({ isListed }) => yesNo(isListed)],
      ["served", ({ isServed }) => yesNo(isServed)],
      ["secret", ({ secret, lacking }) => (lacking.length > 0 ? `${secret}: ${lacking.join(", ")}` : secret)],
      ["changed", ({ secretChangedAt }) => secretChangedAt?.slice(0, 10) ?? ""],
    ]);
    for (const hint of hintsOf(stage, apps)) out.line(hint);
  },
  exitCode: ({ stage, apps }) => (hintsOf(stage, apps).length > 0 ? "unwell" : "done"),
});

function targetOf(stage: string): string {
  return stage === "local" ? "--local" : `--stage ${stage}`;
}

function hintsOf(stage: string, apps: readonly ListedApp[]): readonly string[] {
  const target = targetOf(stage);
  const unready = apps.filter(({ isListed, secret }) => isListed && secret !== "complete");
  const isBehind = apps.some(({ isListed, isServed }) => isServed !== null && isListed !== isServed);
  return [
    ...unready.map(
      ({ appId }) => `${appId} has no complete secret: npx cometchat-functions apps add ${appId} ${target}`,
    ),
    ...(isBehind
      ? [
          stage === "local"
            ? "The functions serve the apps listed at the last start of the local stack: npm start"
            : `The functions serve the apps listed at the last deploy: npx cometchat-functions deploy ${target}`,
        ]
      : []),
  ];
}
