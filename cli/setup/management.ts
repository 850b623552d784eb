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
import type { CliEdges } from "../edges.ts";
import { readSecret } from "../read-secret.ts";
import { keyQuestion } from "./app-access.ts";

const pairSchema = z.object({ key: z.string(), secret: z.string() });

export type ManagementPair = z.infer<typeof pairSchema>;

/** Undefined unless the text is `{"key", "secret"}`. */
function readPair(text: string | undefined): ManagementPair | undefined {
  const pair = pairSchema.safeParse(parseJson(text ?? "")).data;
  for (const value of Object.values(pair ?? {})) rememberSecret(value.trim());
  return pair && { key: pair.key.trim(), secret: pair.secret.trim() };
}

/** The credentials that options ask for. @throws CliError */
export async function readStdin(
  { apiKeyStdin, managementStdin }: { readonly apiKeyStdin: boolean; readonly managementStdin: boolean },
  edges: CliEdges,
) {
  const ask = async (question: string) => (await readSecret(edges, question)).trim();
  if (edges.isStdinTerminal) {
    const apiKey = apiKeyStdin ? await ask(keyQuestion) : undefined;
    if (!managementStdin) return { apiKey };
    const pair = { key: await ask("Management API key"), secret: await ask("Management API secret") };
    return { apiKey, management: parseManagementPair(JSON.stringify(pair)) };
  }
  if (!apiKeyStdin && !managementStdin) return {};
  const typed = await edges.readStdin();
  if (!managementStdin) return { apiKey: typed };
  if (!apiKeyStdin) return { management: parseManagementPair(typed) };
  const [apiKey, ...others] = typed.split("\n");
  return { apiKey, management: parseManagementPair(others.join("\n")) };
}

/** @throws CliError unless the text is `{"key", "secret"}` */
function parseManagementPair(text: string): ManagementPair {
  const pair = readPair(text);
  if (pair === undefined) throw wrongUse('Standard input is not {"key": "…", "secret": "…"}.');
  return pair;
}

/**
 * Returns a client with typed credentials, the deployment's, or answers to questions; undefined without any.
 * Stores new ones for the doctor and rotations.
 * @throws CliError if the platform does not accept them
 */
export async function openManagement(
  appId: string,
  typed: ManagementPair | undefined,
  context: WorkContext,
  { secrets, secretPrefix }: StageApps,
): Promise<ManagementClient | undefined> {
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
  const credentials = typed ?? keptPair ?? (await askForPair(context));
  if (credentials === undefined) return undefined;
  const baseUrl = (await context.target.stack()).output("ChatManagementUrl");
  const client = createManagementClient({ credentials, baseUrl });
  await proveManagement(client, appId);
  const value = JSON.stringify(credentials);
  if (value === JSON.stringify(keptPair)) return client;
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

export async function askForPair({ edges: { ask } }: WorkContext): Promise<ManagementPair | undefined> {
  if (ask === undefined) return undefined;
  const key = (await ask.text("Management API key, to register the webhook (empty: by hand)", "")).trim();
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
