import { newWebhookPassword } from "../../lib/aws/secrets/new-webhook-password.ts";
import { parseSecret, problemOfText } from "../../lib/aws/secrets/parse-secret.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { rememberSecret } from "../../lib/base/known-secrets.ts";
import { regions } from "../../lib/chat/address.ts";
import { CliError } from "../cli-error.ts";
import type { StageApps } from "./stage-apps.ts";

export interface AppAccess {
  readonly appId: string;
  /** us, eu or in. */
  readonly region: string;
  readonly apiKey: string;
}

export type AppSecretState =
  | { readonly state: "missing" }
  | { readonly state: "being deleted" }
  | ({ readonly state: "complete" | "incomplete" | "of another app" } & HeldSecret);

export interface HeldSecret {
  /** Fields that are missing or invalid. */
  readonly lacking: readonly string[];
  readonly access: Partial<AppAccess>;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Hides the secret's values in all later output. May be repeated. */
export async function readAppSecret(
  { secrets, secretIdOf }: Pick<StageApps, "secrets" | "secretIdOf">,
  appId: string,
): Promise<AppSecretState> {
  const secretId = secretIdOf(appId);
  const found = await secrets.find(secretId);
  if (found === undefined) return { state: "missing" };
  if (found.state === "being deleted") return { state: "being deleted" };
  return judgeSecret(secretId, appId, await secrets.read(secretId));
}

export function judgeSecret(
  secretId: string,
  appId: string,
  value: string | undefined,
): Extract<AppSecretState, HeldSecret> {
  const parsed = parseJson(value ?? "");
  const fields = isRecord(parsed) ? parsed : {};
  parseSecret(secretId, JSON.stringify(fields));
  const textOf = (field: string) => (typeof fields[field] === "string" ? fields[field] : "");
  const isRight = {
    appId: textOf("appId") === appId,
    region: regions.some((region) => region === textOf("region")),
    apiKey: /^[\x21-\x7e]{1,200}$/.test(textOf("apiKey")),
    webhookUsername: isStorable("webhookUsername", fields.webhookUsername),
    webhookPassword: isStorable("webhookPassword", fields.webhookPassword),
  };
  const lacking = Object.entries(isRight).flatMap(([field, right]) => (right ? [] : [field]));
  const isOther = textOf("appId") !== "" && !isRight.appId;
  return {
    state: isOther ? "of another app" : lacking.length === 0 ? "complete" : "incomplete",
    lacking,
    access: {
      ...(isRight.appId && { appId }),
      ...(isRight.region && { region: textOf("region") }),
      ...(isRight.apiKey && { apiKey: textOf("apiKey") }),
    },
    fields,
  };
}

type SecretApps = Pick<StageApps, "secrets" | "secretIdOf" | "token">;

export type PutSecretOutcome = "made" | "restored" | "completed" | "unchanged";

/**
 * Creates an app's secret with generated webhook credentials, restores one that is being deleted, or adds
 * missing fields. Existing values stay. May be repeated and run concurrently.
 * @throws CliError "refused" if the secret holds another key, region or app: only rotation changes those,
 * because a changed secret forgets the version before the previous one
 */
export async function putAppSecret(apps: SecretApps, access: AppAccess): Promise<PutSecretOutcome> {
  const { secrets, token } = apps;
  const secretId = apps.secretIdOf(access.appId);
  rememberSecret(access.apiKey);
  const found = await readAppSecret(apps, access.appId);
  if (found.state === "missing") {
    const value = JSON.stringify(completed({}, access));
    const facts = {
      description: `Credentials of the chat app ${access.appId}`,
      tags: { appId: access.appId },
    };
    if (await secrets.make(secretId, value, facts)) return "made";
    // Another process created it meanwhile.
    return putAppSecret(apps, access);
  }
  if (found.state === "being deleted") {
    await secrets.restore(secretId);
    await putAppSecret(apps, access);
    return "restored";
  }
  refuseOther(secretId, access, found.access, found.state);
  if (found.state === "complete") return "unchanged";
  await secrets.change(secretId, JSON.stringify(completed(found.fields, access)), token());
  return "completed";
}

/** The old values become the secret's previous version. May be repeated. */
export async function replaceForeignSecret(
  { secrets, secretIdOf, token }: SecretApps,
  access: AppAccess,
): Promise<void> {
  rememberSecret(access.apiKey);
  await secrets.change(secretIdOf(access.appId), JSON.stringify(completed({}, access)), token());
}

function refuseOther(secretId: string, wanted: AppAccess, held: Partial<AppAccess>, state: string): void {
  const other = state === "of another app" ? "appId" : otherOf(wanted, held);
  if (other === undefined) return;
  throw new CliError(
    "refused",
    "SECRET_DIFFERS",
    `The secret ${secretId} holds another ${names[other]}. Nothing was changed.`,
    other === "apiKey"
      ? `Change the key without losing an event: npx cometchat-functions rotate api-key --app ${wanted.appId}`
      : `Correct it: npx cometchat-functions setup --app ${wanted.appId}`,
  );
}

const names = { appId: "app's credentials", region: "region", apiKey: "API key" } as const;

/** An unfinished secret has a region and no key. */
function otherOf(wanted: AppAccess, held: Partial<AppAccess>): "region" | "apiKey" | undefined {
  if (held.region !== undefined && held.region !== wanted.region && held.apiKey !== undefined)
    return "region";
  return held.apiKey !== undefined && held.apiKey !== wanted.apiKey ? "apiKey" : undefined;
}

function completed(
  fields: Readonly<Record<string, unknown>>,
  access: AppAccess,
): Readonly<Record<string, unknown>> {
  const { webhookUsername, webhookPassword } = fields;
  const password = isStorable("webhookPassword", webhookPassword) ? webhookPassword : newWebhookPassword();
  if (typeof password === "string") rememberSecret(password);
  return {
    ...fields,
    ...access,
    webhookUsername: isStorable("webhookUsername", webhookUsername) ? webhookUsername : "platform",
    webhookPassword: password,
  };
}

function isStorable(field: string, value: unknown): boolean {
  return typeof value === "string" && value !== "" && problemOfText(field, value) === undefined;
}
