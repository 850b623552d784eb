import * as z from "zod/mini";
import { sideBySide } from "../../lib/base/side-by-side.ts";
import { readAppSecret, secretStates } from "../apps/app-secret.ts";
import { listedApps, openApps, readDeployedApps, type StageApps } from "../apps/stage-apps.ts";
import { defineCommand } from "../command.ts";
import type { Output } from "../output.ts";
import { printTable } from "../table.ts";

/** Listed, served, or with a secret. */
const listedAppSchema = z.strictObject({
  appId: z.string(),
  isListed: z.boolean(),
  /** Null if the deployment does not say. */
  isServed: z.nullable(z.boolean()),
  secret: z.enum([...secretStates, "unreadable"]),
  lacking: z.readonly(z.array(z.string())),
  secretChangedAt: z.nullable(z.string()),
});

type ListedApp = z.infer<typeof listedAppSchema>;

const resultSchema = z.strictObject({
  stage: z.string(),
  isDeployed: z.boolean(),
  apps: z.readonly(z.array(listedAppSchema)),
});

export const command = defineCommand({
  description:
    "Exits with 1 if a listed app has no complete secret, or if the functions serve other apps than config/apps.yml lists.",
  examples: `
    $ apps list --stage prod
        list every app that is listed, served or has a secret
  `,
  json: resultSchema,
  run: async ({ target, edges, out }) => {
    const apps = await openApps(target, edges);
    const served = apps.isDeployed ? await readDeployedApps(target) : [];
    const found = await listApps(apps, served, out);
    return { stage: target.stage, isDeployed: apps.isDeployed, apps: found };
  },
  print: ({ stage, isDeployed, apps }, out) => {
    if (!isDeployed) out.line(`The stage ${stage} is not deployed yet.`);
    if (apps.length === 0) {
      out.line("No app: npx cometchat-functions setup --app <appId>");
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
    for (const hint of hintsOf(apps)) out.line(hint);
  },
  exitCode: ({ apps }) => (hintsOf(apps).length > 0 ? "unwell" : "done"),
});

function hintsOf(apps: readonly ListedApp[]): readonly string[] {
  const unready = apps.filter(({ isListed, secret }) => isListed && secret !== "complete");
  const hints = unready.map(
    ({ appId }) => `${appId} has no complete secret: npx cometchat-functions setup --app ${appId}`,
  );
  const isBehind = apps.some(({ isListed, isServed }) => isServed !== null && isListed !== isServed);
  return isBehind ? [...hints, deployHint] : hints;
}

const deployHint =
  "The functions serve the apps that were listed before. To change that: npx cometchat-functions deploy";

/** In the order of config/apps.yml, then the unlisted ones. */
async function listApps(
  apps: StageApps,
  served: readonly string[] | undefined,
  out: Output,
): Promise<readonly ListedApp[]> {
  const listed = await listedApps(apps);
  const beginning = `${apps.secretPrefix}/`;
  const found = await apps.secrets.list(beginning);
  const known = new Map(found.map(({ name, changedAtMs }) => [name.slice(beginning.length), changedAtMs]));
  const others = [...known.keys()].filter((appId) => !/^management(-|$)|\//.test(appId));
  const appIds = [...new Set([...listed, ...(served ?? []), ...others])];
  let done = 0;
  return sideBySide(appIds, atOnce, async (appId) => {
    // The list may be minutes old; reading one secret is always current.
    const { state, lacking, changedAtMs } = await readAppSecret(apps, appId).catch((error: unknown) => {
      // Deleted since, or unreadable for this caller: go on with the other apps.
      if (!(error instanceof Error) || !unreadable.test(error.name)) throw error;
      return { state: "unreadable" as const, lacking: [], changedAtMs: known.get(appId) };
    });
    done += 1;
    if (appIds.length > 20) out.progress(`${done} of ${appIds.length} secrets`);
    return {
      appId,
      isListed: listed.includes(appId),
      isServed: served?.includes(appId) ?? null,
      ...{ secret: state, lacking },
      secretChangedAt: changedAtMs === undefined ? null : new Date(changedAtMs).toISOString(),
    };
  });
}

/** Far below Secrets Manager's rate limit. */
const atOnce = 8;

const unreadable = /^(InvalidRequest|AccessDenied|DecryptionFailure)/;
