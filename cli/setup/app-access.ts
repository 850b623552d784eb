import { addApp } from "../apps/add-app.ts";
import { checkAppId, readAppInput } from "../apps/app-input.ts";
import { type AppAccess, readAppSecret, replaceForeignSecret } from "../apps/app-secret.ts";
import { checkAppKey } from "../apps/check-app-key.ts";
import { listedApps, type StageApps } from "../apps/stage-apps.ts";
import { wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { CliEdges } from "../edges.ts";

export interface TypedAccess {
  readonly appRegion: string | undefined;
  readonly apiKeyStdin: boolean;
  /** If it holds the key. */
  readonly stdin: string;
}

export type AccessOutcome = "made" | "restored" | "completed" | "unchanged" | "region changed";

/**
 * The typed app, the stage's only one, or the answer to a question.
 * @throws CliError
 */
export async function chooseApp(
  typed: string | undefined,
  { target: { stage }, edges, out }: Omit<WorkContext, "confirm">,
): Promise<string> {
  const listed = await listedApps({ projectFolder: edges.projectFolder, stage });
  const [only] = listed.length === 1 ? listed : [];
  const appId =
    typed ??
    only ??
    (out.isForReading ? await edges.ask?.text("The app's id, as the dashboard shows it") : undefined);
  if (appId === undefined) {
    const hint =
      listed.length === 0 ? "Add --app <id>." : `Add --app with one of ${listed.join(", ")}, or a new one.`;
    throw wrongUse("The app is missing.", hint);
  }
  checkAppId(appId.trim());
  return appId.trim();
}

/**
 * Completes the app's secret, proves it against the platform, and then lists the app. Does not ask for known
 * values. May be repeated after any failure.
 * @throws CliError
 */
export async function putAppAccess(
  appId: string,
  typed: TypedAccess,
  { target, edges, out, confirm }: WorkContext,
  apps: StageApps,
): Promise<{ readonly secret: AccessOutcome; readonly list: "added" | "unchanged" }> {
  const secretId = apps.secretIdOf(appId);
  const known = await readAppSecret(apps, appId);
  const isForeign = known.state === "of another app";
  const held = "access" in known && !isForeign ? known.access : {};
  const access = await readAccess(appId, held, typed, { edges, canAsk: out.isForReading });
  out.progress("checking the key with the platform");
  await checkAppKey(access, apps.baseUrlTemplate);
  const listed = await listedApps(apps);
  const isMoved = held.apiKey === access.apiKey && held.region !== undefined && held.region !== access.region;
  if (known.state !== "complete" || isMoved || !listed.includes(appId)) {
    const told = isForeign
      ? `, which now holds another app's credentials: replace them by those of ${appId}`
      : "";
    await confirm(`Make ${target.title} serve the app ${appId}, with its secret ${secretId}${told}?`);
  }
  if (isForeign) await replaceForeignSecret(apps, access);
  if (isMoved && "fields" in known) {
    // The platform knows the key only in this region: the stored one was wrong.
    const value = JSON.stringify({ ...known.fields, region: access.region });
    await apps.secrets.change(secretId, value, edges.token());
  }
  const added = await addApp(access, apps);
  return { ...added, secret: isMoved ? "region changed" : added.secret };
}

async function readAccess(
  appId: string,
  held: Partial<AppAccess>,
  { appRegion, apiKeyStdin, stdin }: TypedAccess,
  { edges, canAsk }: { readonly edges: CliEdges; readonly canAsk: boolean },
): Promise<AppAccess> {
  const isKeyHeld = !apiKeyStdin && held.apiKey !== undefined;
  const region = appRegion ?? held.region;
  if (isKeyHeld && region !== undefined) return { appId, region, apiKey: held.apiKey ?? "" };
  const typed = { appRegion: region, apiKeyStdin: apiKeyStdin || isKeyHeld };
  const readStdin = async () => (isKeyHeld ? (held.apiKey ?? "") : stdin);
  return { appId, ...(await readAppInput(typed, { edges: { ...edges, readStdin }, canAsk })) };
}
