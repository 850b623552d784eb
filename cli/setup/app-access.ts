import { addApp } from "../apps/add-app.ts";
import { type AppGround, listedApps } from "../apps/app-ground.ts";
import { checkAppId, readAppInput } from "../apps/app-input.ts";
import { type AppAccess, readAppSecret, replaceForeignSecret } from "../apps/app-secret.ts";
import { checkAppKey } from "../apps/check-app-key.ts";
import type { SecretStore } from "../apps/secret-store.ts";
import { wrongUse } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";

export interface AppAccessGround {
  readonly stage: string;
  readonly title: string;
  readonly edges: CliEdges;
  readonly out: Output;
  readonly ground: AppGround;
  readonly secrets: SecretStore;
  readonly confirm: (question: string) => Promise<void>;
}

export interface TypedAccess {
  readonly appRegion: string | undefined;
  readonly apiKeyStdin: boolean;
  /** Standard input, if it holds the key. */
  readonly stdin: string;
}

export type AccessOutcome = "made" | "restored" | "completed" | "unchanged" | "region changed";

/** Returns the app: the typed one, the stage's only one, or the answer to a question. @throws CliError */
export async function chooseApp(
  typed: string | undefined,
  { stage, edges, out }: Pick<AppAccessGround, "stage" | "edges" | "out">,
): Promise<string> {
  const listed = await listedApps(edges.projectFolder, stage);
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
 * Makes the app's secret complete, proves it against the platform, and adds the app to the stage's list. Does
 * not ask for known values. May be repeated after any failure.
 * @throws CliError
 */
export async function putAppAccess(
  appId: string,
  typed: TypedAccess,
  place: AppAccessGround,
): Promise<{ readonly secret: AccessOutcome; readonly list: "added" | "unchanged" }> {
  const { stage, title, edges, out, ground, secrets, confirm } = place;
  const secretId = ground.secretIdOf(appId);
  const known = await readAppSecret(secrets, secretId, appId);
  const isForeign = known.state === "of another app";
  const held = "access" in known && !isForeign ? known.access : {};
  const access = await readAccess(appId, held, typed, { edges, canAsk: out.isForReading });
  out.progress("checking the key with the platform");
  await checkAppKey(access, ground.baseUrlTemplate);
  const listed = await listedApps(edges.projectFolder, stage);
  const isMoved = held.apiKey === access.apiKey && held.region !== undefined && held.region !== access.region;
  if (known.state !== "complete" || isMoved || !listed.includes(appId)) {
    const told = isForeign
      ? `, which now holds another app's credentials: replace them by those of ${appId}`
      : "";
    await confirm(`Make ${title} serve the app ${appId}, with its secret ${secretId}${told}?`);
  }
  if (isForeign) {
    await replaceForeignSecret(secrets, { ...access, secretId, token: edges.token });
  }
  if (isMoved && "fields" in known) {
    // The key is the same, and the platform knows it only in this region: the stored region was wrong.
    await secrets.change(secretId, JSON.stringify({ ...known.fields, region: access.region }), edges.token());
  }
  const { projectFolder, token } = edges;
  const added = await addApp(access, { projectFolder, stage, ground, secrets, token });
  return { ...added, secret: isMoved ? "region changed" : added.secret };
}

async function readAccess(
  appId: string,
  held: Partial<AppAccess>,
  { appRegion, apiKeyStdin, stdin }: TypedAccess,
  { edges, canAsk }: { readonly edges: CliEdges; readonly canAsk: boolean },
): Promise<AppAccess> {
  const { apiKey } = held;
  if (apiKeyStdin || apiKey === undefined) {
    const typed = { appRegion: appRegion ?? held.region, apiKeyStdin };
    return {
      appId,
      ...(await readAppInput(typed, { edges: { ...edges, readStdin: async () => stdin }, canAsk })),
    };
  }
  const region = appRegion ?? held.region;
  if (region !== undefined) return { appId, region, apiKey };
  const given = { appRegion, apiKeyStdin: true };
  return {
    appId,
    ...(await readAppInput(given, { edges: { ...edges, readStdin: async () => apiKey }, canAsk })),
  };
}
