import * as z from "zod/mini";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { rememberSecret } from "../../lib/base/known-secrets.ts";
import {
  createManagementClient,
  type ManagementClient,
} from "../../lib/chat/management/management-client.ts";
import { managementSecretIdOf } from "../../lib/operate/doctor/webhook-lists.ts";
import type { StageApps } from "../apps/stage-apps.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";

const pairSchema = z.object({ key: z.string(), secret: z.string() });

export type ManagementPair = z.infer<typeof pairSchema>;

/** Undefined unless the text is `{"key", "secret"}`. */
function readPair(text: string | undefined): ManagementPair | undefined {
  const pair = pairSchema.safeParse(parseJson(text ?? "")).data;
  for (const value of Object.values(pair ?? {})) rememberSecret(value.trim());
  return pair && { key: pair.key.trim(), secret: pair.secret.trim() };
}

/** @throws CliError unless the text is `{"key", "secret"}` */
export function parseManagementPair(text: string): ManagementPair {
  const pair = readPair(text);
  if (pair === undefined) throw wrongUse('Standard input is not {"key": "…", "secret": "…"}.');
  return pair;
}

/**
 * Returns a client with typed credentials, the deployment's, or answers to questions; undefined without any.
 * Changes nothing.
 * @throws CliError if the platform does not accept them
 */
export async function findManagement(
  appId: string,
  typed: ManagementPair | undefined,
  { target }: WorkContext,
  { secrets, secretPrefix }: StageApps,
  ask: () => Promise<ManagementPair | undefined>,
) {
  const secretId = managementSecretIdOf(secretPrefix);
  const state = await secrets.stateOf(secretId);
  const kept = state === "there" ? await secrets.read(secretId) : undefined;
  const keptPair = readPair(kept);
  if (typed === undefined && kept !== undefined && keptPair === undefined) {
    throw new CliError(
      "unwell",
      "WRONG_SECRET",
      `The secret ${secretId} is not of the form {"key": "…", "secret": "…"}.`,
      "Give the credentials again (--management-stdin), or use none (--by-hand).",
    );
  }
  const credentials = typed ?? keptPair ?? (await ask());
  if (credentials === undefined) return undefined;
  const baseUrl = (await target.stack()).output("ChatManagementUrl");
  const client = createManagementClient({ credentials, baseUrl });
  await proveManagement(client, appId);
  const value = JSON.stringify(credentials);
  const question =
    value === JSON.stringify(keptPair)
      ? undefined
      : `Keep the management credentials in the secret ${secretId}, for the doctor and rotations?`;
  return { client, question, secretId, state, value };
}

/**
 * Also stores new credentials for the doctor and rotations.
 * @throws CliError if the platform does not accept them
 */
export async function openManagement(
  appId: string,
  typed: ManagementPair | undefined,
  context: WorkContext,
  apps: StageApps,
): Promise<ManagementClient | undefined> {
  const { secrets } = apps;
  const opened = await findManagement(appId, typed, context, apps, () => askForPair(context));
  if (opened?.question === undefined) return opened?.client;
  const { client, question, secretId, state, value } = opened;
  await context.confirm(question);
  const facts = { description: "Credentials of the platform's Management API" };
  if (state === "being deleted") await secrets.restore(secretId);
  if (state !== undefined || !(await secrets.make(secretId, value, facts))) {
    await secrets.change(secretId, value);
  }
  return client;
}

export const managementQuestion = "Management API key, to register the webhook (empty: by hand)";

async function askForPair({ edges: { ask }, out }: WorkContext): Promise<ManagementPair | undefined> {
  if (ask === undefined || !out.isForReading) return undefined;
  const key = (await ask.text(managementQuestion, "")).trim();
  if (key === "") return undefined;
  return readPair(JSON.stringify({ key, secret: await ask.password("Management API secret") }));
}

async function proveManagement({ webhooks }: ManagementClient, appId: string): Promise<void> {
  try {
    await webhooks.list(appId).page();
  } catch (error) {
    if (!isRecord(error) || (error.status !== 401 && error.status !== 403)) throw error;
    throw new CliError(
      "noRights",
      "MANAGEMENT_REFUSED",
      `The platform does not accept the management credentials for the app ${appId}.`,
      "Copy key and secret from the dashboard, and give them by --management-stdin, or use none: --by-hand.",
      error,
    );
  }
}
