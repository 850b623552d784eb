import { isNotFoundOrDenied } from "../../lib/aws/aws-call.ts";
import { newWebhookPassword } from "../../lib/aws/secrets/new-webhook-password.ts";
import { fieldsIn, parseSecret, problemOfText } from "../../lib/aws/secrets/parse-secret.ts";
import { rememberSecret } from "../../lib/base/known-secrets.ts";
import { isRegion } from "../../lib/chat/address.ts";
import { fieldText, type StoredFields } from "../../lib/operate/rotation/rotated-credentials.ts";
import { refused } from "../cli-error.ts";
import type { Output } from "../output.ts";
import { isApiKey } from "../read-secret.ts";
import { type AppsPlace, listedApps, type SecretStore } from "./stage-apps.ts";

export interface AppAccess {
  readonly appId: string;
  /** us, eu or in. */
  readonly region: string;
  readonly apiKey: string;
}

interface AppSecret {
  readonly state: "complete" | "incomplete" | "of another app" | "being deleted" | "missing";
  readonly access: Partial<AppAccess>;
  readonly fields: StoredFields;
  /** Fields of the app's secret alone. */
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
  const { access, isOther } = accessIn(own, appId);
  const isComplete =
    hasWebhook &&
    Object.keys(access).length === 3 &&
    isStorable("webhookUsername", fields.webhookUsername) &&
    isStorable("webhookPassword", fields.webhookPassword) &&
    isSame(withoutBlanks(fields), fields);
  return { state: isOther ? "of another app" : isComplete ? "complete" : "incomplete", access, fields, own };
}

type PutSecretOutcome = "made" | "restored" | "completed" | "unchanged";

/**
 * Creates them with generated webhook credentials, restores secrets in deletion, adds missing fields, removes
 * pasted blanks. Repeatable, also concurrently.
 * @throws CliError if the secret holds another key, region or app: only a rotation changes those, as a
 * changed secret forgets the version before the previous one
 */
export async function putAppSecret(apps: AppsPlace, access: AppAccess): Promise<PutSecretOutcome> {
  const { secrets } = apps;
  const { appId } = access;
  const secretId = apps.secretIdOf(appId);
  rememberSecret(access.apiKey);
  const facts = { description: `Credentials of the chat app ${appId}`, appId };
  const outcome = await putSecret(secrets, secretId, facts, (held) => {
    refuseOther(secretId, access, held);
    return { ...withoutBlanks(held), ...access };
  });
  const webhookFacts = { description: `Webhook credentials of the chat app ${appId}`, appId };
  const ofWebhook = await putSecret(secrets, apps.webhookSecretIdOf(appId), webhookFacts, (held) => {
    const plain = withoutBlanks(held);
    const { webhookUsername: username, webhookPassword: known } = plain;
    const webhookPassword = isStorable("webhookPassword", known) ? known : newWebhookPassword();
    rememberSecret(webhookPassword);
    const webhookUsername = isStorable("webhookUsername", username) ? username : "platform";
    return { ...plain, appId, webhookUsername, webhookPassword };
  });
  return outcome === "unchanged" && ofWebhook !== "unchanged" ? "completed" : outcome;
}

/**
 * Checks that all listed apps that have a secret have a webhook secret, too.
 * @throws CliError if an app has a secret, and no webhook secret
 */
export async function refuseWithoutWebhookSecret(apps: AppsPlace, out: Pick<Output, "note">): Promise<void> {
  const { secrets, secretIdOf, webhookSecretIdOf } = apps;
  const isThere = async (secretId: string) => (await secrets.stateOf(secretId)) === "there";
  const lacksWebhook = async (appId: string) =>
    (await isThere(secretIdOf(appId))) && !(await isThere(webhookSecretIdOf(appId)));
  try {
    const listed = await listedApps(apps);
    const lacks = await Promise.all(listed.map(lacksWebhook));
    const lacking = listed.filter((_, index) => lacks[index]);
    if (lacking.length === 0) return;
    const commands = lacking.map((appId) => `\nnpx cometchat-functions setup --app ${appId}`);
    throw refused(
      "NO_WEBHOOK_SECRET",
      `The functions could not check the deliveries of ${lacking.join(", ")}, without ${lacking.map(webhookSecretIdOf).join(", ")}. Nothing was deployed.`,
      `Make each of these secrets, then run this again:${commands.join("")}`,
    );
  } catch (error) {
    if (!isNotFoundOrDenied(error)) throw error;
    out.note(
      "The apps' webhook secrets were not checked: the right secretsmanager:DescribeSecret is missing.",
    );
  }
}

async function putSecret(
  secrets: SecretStore,
  secretId: string,
  facts: Parameters<SecretStore["make"]>[2],
  toWanted: (held: StoredFields) => StoredFields,
): Promise<PutSecretOutcome> {
  const state = await secrets.stateOf(secretId);
  if (state === "being deleted") await secrets.restore(secretId);
  const held = state === undefined ? {} : fieldsIn(await secrets.read(secretId));
  // Hides its values: `readAppSecret` did not read a secret that was being deleted.
  parseSecret(secretId, JSON.stringify(held));
  const wanted = toWanted(held);
  const value = JSON.stringify(wanted);
  if (state === undefined) {
    if (await secrets.make(secretId, value, facts)) return "made";
    // Another process created it meanwhile: use its values.
    return await putSecret(secrets, secretId, facts, toWanted);
  }
  const isComplete = isSame(wanted, held);
  if (!isComplete) await secrets.change(secretId, value);
  if (state === "being deleted") return "restored";
  return isComplete ? "unchanged" : "completed";
}

function accessIn(own: StoredFields, appId: string) {
  const plain = withoutBlanks(own);
  const [heldId = "", region = "", apiKey = ""] = ["appId", "region", "apiKey"].map((name) =>
    fieldText(plain, name),
  );
  const access: Partial<AppAccess> = {
    ...(heldId === appId && { appId }),
    ...(isRegion(region) && { region }),
    ...(isApiKey(apiKey) && { apiKey }),
  };
  return { access, isOther: heldId !== "" && heldId !== appId };
}

function refuseOther(secretId: string, wanted: AppAccess, own: StoredFields) {
  const { access: held, isOther } = accessIn(own, wanted.appId);
  // An unfinished secret has a region and no key.
  const isSame = held.apiKey === undefined || held.apiKey === wanted.apiKey;
  const isMoved = held.apiKey !== undefined && (held.region ?? wanted.region) !== wanted.region;
  if (!isOther && !isMoved && isSame) return;
  const what = isOther ? "app's credentials" : isMoved ? "region" : "API key";
  throw refused(
    "SECRET_DIFFERS",
    `The secret ${secretId} holds another ${what}. Nothing was changed.`,
    what === "API key"
      ? `Change the key without losing an event: npx cometchat-functions rotate api-key --app ${wanted.appId}`
      : `Correct it: npx cometchat-functions setup --app ${wanted.appId}`,
  );
}

/** Replaced values end by themselves. */
function withoutBlanks(fields: StoredFields): StoredFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "string" && !name.startsWith("replaced") ? value.trim() : value,
    ]),
  );
}

function isSame(wanted: StoredFields, held: StoredFields) {
  return Object.entries(wanted).every(([name, value]) => held[name] === value);
}

function isStorable(field: string, value: unknown): value is string {
  return typeof value === "string" && value !== "" && problemOfText(field, value) === undefined;
}
