import * as z from "zod/mini";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { rememberSecret } from "../../lib/base/known-secrets.ts";
import { isRegion, readRegion, regions } from "../../lib/chat/address.ts";
import { composeChatClient } from "../../lib/chat/compose.ts";
import { ChatApiError } from "../../lib/chat/errors.ts";
import { isCode } from "../../lib/chat/is-code.ts";
import {
  createManagementClient,
  type ManagementClient,
} from "../../lib/chat/management/management-client.ts";
import { users } from "../../lib/chat/resources/users.ts";
import { managementSecretIdOf } from "../../lib/operate/doctor/doctor-services.ts";
import { type AppAccess, readAppSecret } from "../apps/app-secret.ts";
import { addApp } from "../apps/change-apps.ts";
import { checkAppId, listedApps, type StageApps } from "../apps/stage-apps.ts";
import { CliError, noRights, notThere, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import type { CliEdges } from "../edges.ts";
import { parseApiKey, readSecret } from "../read-secret.ts";
import { openDeployedManagement, type Target } from "../target/target.ts";

export async function chooseApp(
  typed: string | undefined,
  { target: { stage }, edges }: WorkContext,
): Promise<string> {
  const listed = await listedApps({ projectFolder: edges.projectFolder, stage });
  const [only] = listed.length === 1 ? listed : [];
  const appId = typed ?? only ?? (await edges.ask?.text("The app's id, as the dashboard shows it"));
  if (appId === undefined) {
    const hint =
      listed.length === 0 ? "Add --app <id>." : `Add --app with one of ${listed.join(", ")}, or a new one.`;
    throw wrongUse("The app is missing.", hint);
  }
  checkAppId(appId.trim());
  return appId.trim();
}

interface TypedAccess {
  readonly appRegion: string | undefined;
  readonly apiKey: string | undefined;
}

/** Completes the app's secret, then lists the app. May be repeated. @returns undefined in a rehearsal */
export async function putAppAccess(
  appId: string,
  { appRegion, apiKey }: TypedAccess,
  { target, edges: { ask }, out, confirm, isDryRun }: WorkContext,
  apps: StageApps,
) {
  const { state, own, access: known } = await readAppSecret(apps, appId);
  const isForeign = state === "of another app";
  const held = isForeign ? {} : known;
  const secretId = apps.secretIdOf(appId);
  const where = isForeign
    ? `, which now holds another app's credentials: replace them by those of ${appId}`
    : "";
  const question = `Make ${target.title} serve the app ${appId}, with its secret ${secretId}${where}?`;
  const [givenRegion, givenKey] = [appRegion ?? held.region, apiKey ?? held.apiKey];
  const typedRegion =
    givenRegion ?? (await ask?.text("The app's region on the platform (us, eu or in)", "us"));
  if (typedRegion === undefined)
    throw wrongUse("The app's region is missing.", "Add --app-region us, eu or in.");
  const key = givenKey ?? (await ask?.password(keyQuestion));
  if (key === undefined) {
    throw wrongUse(
      "The app's API key is missing, and there is no terminal to ask for it.",
      "Add --api-key-stdin, and write the key to standard input.",
    );
  }
  if (isDryRun && (givenRegion === undefined || givenKey === undefined))
    return void (await confirm(question));
  const region = typedRegion.trim();
  if (!isRegion(region)) {
    const hint = `--app-region is one of ${regions.join(", ")}.`;
    throw wrongUse(`The platform has no region "${region}".`, hint);
  }
  const keyForm =
    apiKey === undefined ? "Type or paste only the key." : "Write only the key to standard input.";
  const access = { appId, region, apiKey: parseApiKey(key, keyForm) };
  out.progress("checking the key with the platform");
  await checkAppKey(access, apps.baseUrlTemplate);
  const isMoved = held.apiKey === access.apiKey && held.region !== undefined && held.region !== access.region;
  const isThere = state === "complete" && !isMoved && (await listedApps(apps)).includes(appId);
  if (!isThere) {
    await confirm(question);
    if (isDryRun) return undefined;
  }
  // The old values become the secret's previous version.
  if (isForeign) await apps.secrets.change(secretId, JSON.stringify(access));
  // The platform accepts the key only in this region.
  if (isMoved) await apps.secrets.change(secretId, JSON.stringify({ ...own, region: access.region }));
  const added = await addApp(access, apps);
  return { ...added, secret: isMoved ? ("region changed" as const) : added.secret };
}

const keyQuestion = "The app's REST API key (scope fullAccess)";

const keyHint =
  "Take the app's REST API key (scope fullAccess) from the platform's dashboard, under API & Auth Keys. An Auth Key does not work.";

/**
 * Proves by one read that the region accepts the key with the scope fullAccess: a smaller one may not read
 * users (docs/internals/platform/addressing-and-keys.md#scopes-of-keys).
 * @throws CliError that names the wrong one; ChatApiError, ChatUnreachableError for anything else
 */
async function checkAppKey(access: AppAccess, baseUrlTemplate: string | undefined) {
  const { appId, region } = access;
  const refusals: Readonly<Record<string, ConstructorParameters<typeof CliError>>> = {
    AUTH_ERR_INVALID_APPID: [
      "wrongUse",
      "NO_SUCH_APP",
      `The platform has no app ${appId} in the region ${region}.`,
      "Compare id and region with the platform's dashboard; the region is us, eu or in.",
    ],
    AUTH_ERR_APIKEY_NOT_FOUND: [
      "noRights",
      "KEY_REFUSED",
      `The platform does not accept the key for the app ${appId}: it belongs to another app, or was revoked.`,
      keyHint,
    ],
    AUTH_ERR_NO_ACCESS: [
      "noRights",
      "KEY_TOO_WEAK",
      `The key of the app ${appId} has too small a scope: it must be fullAccess.`,
      keyHint,
    ],
  };
  try {
    await composeChatClient({ ...access, region: readRegion(region), baseUrlTemplate }, { users })
      .users.list({ perPage: 1 })
      .page();
  } catch (error) {
    const refusal = error instanceof ChatApiError ? refusals[error.code] : undefined;
    throw refusal === undefined ? error : new CliError(...refusal);
  }
}

const pairSchema = z.object({ key: z.string(), secret: z.string() });

export type ManagementPair = z.infer<typeof pairSchema>;

/** @returns undefined unless it is `{key, secret}` */
function readPair(given: unknown) {
  const pair = pairSchema.safeParse(given).data;
  for (const value of Object.values(pair ?? {})) rememberSecret(value.trim());
  return pair && { key: pair.key.trim(), secret: pair.secret.trim() };
}

export async function readStdin(
  { apiKeyStdin, managementStdin }: { readonly apiKeyStdin: boolean; readonly managementStdin: boolean },
  edges: CliEdges,
) {
  const ask = async (question: string) => (await readSecret(edges, question)).trim();
  if (edges.isStdinTerminal) {
    const apiKey = apiKeyStdin ? await ask(keyQuestion) : undefined;
    if (!managementStdin) return { apiKey };
    const pair = { key: await ask("Management API key"), secret: await ask("Management API secret") };
    return { apiKey, management: readPair(pair) };
  }
  if (!apiKeyStdin && !managementStdin) return {};
  const typed = await edges.readStdin();
  if (!managementStdin) return { apiKey: typed };
  const [apiKey, ...others] = apiKeyStdin ? typed.split("\n") : [undefined, typed];
  const management = readPair(parseJson(others.join("\n")));
  if (management === undefined) throw wrongUse('Standard input is not {"key": "…", "secret": "…"}.');
  return { apiKey, management };
}

/** The local platform gets apps from seeds only. @throws CliError "not there" */
export async function refuseUnknownApp(appId: string, target: Target): Promise<void> {
  try {
    const management = await openDeployedManagement(target);
    await management?.webhooks.list(appId).page();
  } catch (error) {
    if (!isCode(error, "ERR_APP_NOT_FOUND")) return;
    const hint = remediesOf(target).addApp(appId);
    throw notThere("NO_SUCH_APP", `The platform has no app ${appId}.`, hint, error);
  }
}

/**
 * Uses typed credentials, the deployment's, or asks. Stores new ones for the doctor and rotations.
 * @returns undefined without any
 * @throws CliError if the platform does not accept them
 */
export async function openManagement(
  appId: string,
  typed: ManagementPair | undefined,
  context: WorkContext,
  { secrets, secretPrefix }: StageApps,
) {
  const secretId = managementSecretIdOf(secretPrefix);
  const state = await secrets.stateOf(secretId);
  const kept = state === "there" ? await secrets.read(secretId) : undefined;
  const keptPair = readPair(parseJson(kept ?? ""));
  if (typed === undefined && kept !== undefined && keptPair === undefined) {
    throw new CliError(
      "unwell",
      "WRONG_SECRET",
      `The secret ${secretId} is not of the form {"key": "…", "secret": "…"}.`,
      "Give the credentials again (--management-stdin), or use none (--by-hand).",
    );
  }
  const credentials = typed ?? keptPair ?? (await askForPair(context));
  if (credentials === undefined) return undefined;
  const baseUrl = (await context.target.stack()).output("ChatManagementUrl");
  const client = createManagementClient({ credentials, baseUrl });
  await proveManagement(client, appId);
  const value = JSON.stringify(credentials);
  if (kept?.trim() === value) return client;
  await context.confirm(
    `Keep the management credentials in the secret ${secretId}, for the doctor and rotations?`,
  );
  if (context.isDryRun) return client;
  const facts = { description: "Credentials of the platform's Management API" };
  if (state === "being deleted") await secrets.restore(secretId);
  if (state !== undefined || !(await secrets.make(secretId, value, facts))) {
    await secrets.change(secretId, value);
  }
  return client;
}

export async function askForPair({ edges: { ask } }: WorkContext) {
  if (ask === undefined) return undefined;
  const key = (await ask.text("Management API key, to register the webhook (empty: by hand)", "")).trim();
  if (key === "") return undefined;
  return readPair({ key, secret: await ask.password("Management API secret") });
}

async function proveManagement({ webhooks }: ManagementClient, appId: string) {
  try {
    await webhooks.list(appId).page();
  } catch (error) {
    if (isCode(error, "ERR_APP_NOT_FOUND"))
      throw notThere("NO_SUCH_APP", `The platform has no app ${appId}.`, undefined, error);
    if (!isRecord(error) || (error.status !== 401 && error.status !== 403)) throw error;
    throw noRights(
      "MANAGEMENT_REFUSED",
      `The platform does not accept the management credentials for the app ${appId}.`,
      "Pass the key and secret from CometChat's sales to --management-stdin, or use none: --by-hand.",
      error,
    );
  }
}
