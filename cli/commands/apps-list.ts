import * as z from "zod/mini";
import { sideBySide } from "../../lib/base/side-by-side.ts";
import { readAppSecret } from "../apps/app-secret.ts";
import { readDeployedApps } from "../apps/deployed-apps.ts";
import type { FoundSecret } from "../apps/secret-store.ts";
import { listedApps, openApps, type StageApps } from "../apps/stage-apps.ts";
import { defineCommand } from "../command.ts";
import { printTable } from "../table.ts";

/** Listed, served, or with a secret. */
const listedAppSchema = z.strictObject({
  appId: z.string(),
  isListed: z.boolean(),
  /** Null if the deployment does not say. */
  isServed: z.nullable(z.boolean()),
  secret: z.enum(["complete", "incomplete", "of another app", "being deleted", "missing", "unreadable"]),
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
    const found = await listApps(apps, served, (done, all) => {
      if (all > 20) out.progress(`${done} of ${all} secrets`);
    });
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
  const isBehind = apps.some(({ isListed, isServed }) => isServed !== null && isListed !== isServed);
  return [
    ...unready.map(
      ({ appId }) => `${appId} has no complete secret: npx cometchat-functions setup --app ${appId}`,
    ),
    ...(isBehind
      ? [
          "The functions serve the apps that were listed before. To change that: npx cometchat-functions deploy",
        ]
      : []),
  ];
}

/** In the order of config/apps.yml, then the unlisted ones. */
async function listApps(
  apps: StageApps,
  served: readonly string[] | undefined,
  progress: (done: number, all: number) => void,
): Promise<readonly ListedApp[]> {
  const { secrets } = apps;
  const listed = await listedApps(apps);
  const beginning = `${apps.secretPrefix}/`;
  const known = new Map(
    (await secrets.list(beginning)).map((secret) => [secret.name.slice(beginning.length), secret]),
  );
  const others = [...known.keys()].filter((appId) => !/^management(-|$)|\//.test(appId));
  const appIds = [...new Set([...listed, ...(served ?? []), ...others])];
  let done = 0;
  return sideBySide(appIds, atOnce, async (appId) => {
    // A list may be minutes old; reading one secret is always current.
    const secret = known.get(appId) ?? (await secrets.find(apps.secretIdOf(appId)));
    const state = await stateOf(appId, secret, apps);
    done += 1;
    progress(done, appIds.length);
    return {
      appId,
      isListed: listed.includes(appId),
      isServed: served?.includes(appId) ?? null,
      ...state,
      secretChangedAt: secret?.changedAtMs === undefined ? null : new Date(secret.changedAtMs).toISOString(),
    };
  });
}

/** Far below Secrets Manager's rate limit. */
const atOnce = 8;

async function stateOf(
  appId: string,
  secret: FoundSecret | undefined,
  apps: StageApps,
): Promise<Pick<ListedApp, "secret" | "lacking">> {
  if (secret === undefined) return { secret: "missing", lacking: [] };
  if (secret.state === "being deleted") return { secret: "being deleted", lacking: [] };
  try {
    const judged = await readAppSecret(apps, appId);
    return { secret: judged.state, lacking: "lacking" in judged ? judged.lacking : [] };
  } catch (error) {
    // Deleted since, or unreadable for this caller: go on with the other apps.
    if (error instanceof Error && /^(InvalidRequest|AccessDenied|DecryptionFailure)/.test(error.name)) {
      return { secret: "unreadable", lacking: [] };
    }
    throw error;
  }
}
