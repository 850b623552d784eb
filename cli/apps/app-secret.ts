import { newWebhookPassword } from "../../lib/aws/secrets/new-webhook-password.ts";
import { parseSecret, problemOfText } from "../../lib/aws/secrets/parse-secret.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { rememberSecret } from "../../lib/base/known-secrets.ts";
import { regions } from "../../lib/chat/address.ts";
import { fieldText, type StoredFields } from "../../lib/operate/rotation/rotated-things.ts";
import { CliError } from "../cli-error.ts";
import { isApiKey } from "../read-secret.ts";
import type { AppsPlace } from "./stage-apps.ts";

export interface AppAccess {
  readonly appId: string;
  /** us, eu or in. */
  readonly region: string;
  readonly apiKey: string;
}

export const secretStates = ["complete", "incomplete", "of another app", "being deleted", "missing"] as const;

export interface AppSecret {
  readonly state: (typeof secretStates)[number];
  readonly access: Partial<AppAccess>;
  /** The fields of both secrets. */
  readonly fields: StoredFields;
  /** Those of the app's secret. */
  readonly own: StoredFields;
}

/** Also hides their values in all later output. */
export async function readAppSecret(apps: AppsPlace, appId: string): Promise<AppSecret> {
  const { secrets } = apps;
  const secretId = apps.secretIdOf(appId);
  const there = (await secrets.stateOf(secretId)) ?? "missing";
  if (there !== "there") return { state: there, access: {}, fields: {}, own: {} };
  const webhookId = apps.webhookSecretIdOf(appId);
  const hasWebhook = (await secrets.stateOf(webhookId)) === "there";
  const own = fieldsIn(await secrets.read(secretId));
  const fields = { ...own, ...(hasWebhook && fieldsIn(await secrets.read(webhookId))) };
  parseSecret(secretId, JSON.stringify(fields));
  const plain = withoutBlanks(own);
  const [heldId = "", region = "", apiKey = ""] = ["appId", "region", "apiKey"].map((name) =>
    fieldText(plain, name),
  );
  const isRight = {
    appId: heldId === appId,
    region: regions.some((known) => known === region),
    apiKey: isApiKey(apiKey),
  };
  const isComplete =
    Object.values(isRight).every(Boolean) &&
    isStorable("webhookUsername", fields.webhookUsername) &&
    isStorable("webhookPassword", fields.webhookPassword) &&
    isSame(withoutBlanks(fields), fields);
  const isOther = heldId !== "" && !isRight.appId;
  return {
    state: isOther ? "of another app" : isComplete ? "complete" : "incomplete",
    access: {
      ...(isRight.appId && { appId }),
      ...(isRight.region && { region }),
      ...(isRight.apiKey && { apiKey }),
    },
    fields,
    own,
  };
}

export type PutSecretOutcome = "made" | "restored" | "completed" | "unchanged";

/**
 * Creates them with generated webhook credentials, restores what is being deleted, adds missing fields, takes
 * away pasted blanks. May be repeated and run concurrently.
 * @throws CliError if the secret holds another key, region or app: a rotation changes those, because a
 * changed secret forgets the version before the previous one
 */
export async function putAppSecret(apps: AppsPlace, access: AppAccess): Promise<PutSecretOutcome> {
  const { secrets } = apps;
  const { appId } = access;
  const secretId = apps.secretIdOf(appId);
  rememberSecret(access.apiKey);
  const found = await readAppSecret(apps, appId);
  if (found.state === "missing") {
    const facts = { description: `Credentials of the chat app ${appId}`, appId };
    const isMade = await secrets.make(secretId, JSON.stringify(access), facts);
    // Another process created it meanwhile: use its values.
    if (!isMade) return putAppSecret(apps, access);
    await putWebhookSecret(apps, appId);
    return "made";
  }
  if (found.state === "being deleted") {
    await secrets.restore(secretId);
    await putAppSecret(apps, access);
    return "restored";
  }
  refuseOther(secretId, access, found);
  const wanted = { ...withoutBlanks(found.own), ...access };
  const isComplete = isSame(wanted, found.own);
  if (!isComplete) await secrets.change(secretId, JSON.stringify(wanted));
  const isChanged = await putWebhookSecret(apps, appId);
  return isComplete && !isChanged ? "unchanged" : "completed";
}

/** Returns false if it was complete. May be repeated and run concurrently. */
async function putWebhookSecret(apps: AppsPlace, appId: string): Promise<boolean> {
  const { secrets } = apps;
  const secretId = apps.webhookSecretIdOf(appId);
  const state = await secrets.stateOf(secretId);
  if (state === "being deleted") await secrets.restore(secretId);
  const held = state === undefined ? {} : fieldsIn(await secrets.read(secretId));
  const plain = withoutBlanks(held);
  const { webhookUsername: username, webhookPassword: known } = plain;
  const password = isStorable("webhookPassword", known) ? known : newWebhookPassword();
  rememberSecret(password);
  const wanted = {
    ...plain,
    appId,
    webhookUsername: isStorable("webhookUsername", username) ? username : "platform",
    webhookPassword: password,
  };
  if (state === undefined) {
    const facts = { description: `Webhook credentials of the chat app ${appId}`, appId };
    return (
      (await secrets.make(secretId, JSON.stringify(wanted), facts)) || (await putWebhookSecret(apps, appId))
    );
  }
  const isComplete = isSame(wanted, held);
  if (!isComplete) await secrets.change(secretId, JSON.stringify(wanted));
  return !isComplete || state === "being deleted";
}

/** The webhook may already have the pending password, and must keep it. */
export function rotationUnderWay(appId: string): CliError {
  return new CliError(
    "refused",
    "ROTATION_UNDER_WAY",
    `A rotation of the app ${appId} is in progress. Nothing was changed.`,
    `See how to end it: npx cometchat-functions rotate finish --dry-run --app ${appId}`,
  );
}

function refuseOther(secretId: string, wanted: AppAccess, { state, access: held }: AppSecret): void {
  const isForeign = state === "of another app";
  // An unfinished secret has a region and no key.
  const isSame = held.apiKey === undefined || held.apiKey === wanted.apiKey;
  const isMoved = held.apiKey !== undefined && (held.region ?? wanted.region) !== wanted.region;
  if (!isForeign && !isMoved && isSame) return;
  const what = isForeign ? "app's credentials" : isMoved ? "region" : "API key";
  throw new CliError(
    "refused",
    "SECRET_DIFFERS",
    `The secret ${secretId} holds another ${what}. Nothing was changed.`,
    what === "API key"
      ? `Change the key without losing an event: npx cometchat-functions rotate api-key --app ${wanted.appId}`
      : `Correct it: npx cometchat-functions setup --app ${wanted.appId}`,
  );
}

function fieldsIn(value: string | undefined): StoredFields {
  const parsed = parseJson(value ?? "");
  return isRecord(parsed) ? parsed : {};
}

/** What a rotation replaced ends by itself. */
function withoutBlanks(fields: StoredFields): StoredFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" && !name.startsWith("replaced") ? value.trim() : value,
    ]),
  );
}

function isSame(wanted: StoredFields, held: StoredFields): boolean {
  return Object.entries(wanted).every(([name, value]) => held[name] === value);
}

function isStorable(field: string, value: unknown): value is string {
  return typeof value === "string" && value !== "" && problemOfText(field, value) === undefined;
}
