import { AwsCallError, isNotFound, unlessNotFound } from "../../aws/aws-call.ts";
import { fieldsIn, InvalidSecretError, parseSecret, problemOfText } from "../../aws/secrets/parse-secret.ts";
import {
  readSecretVersion,
  type StoredVersion,
  secretIdOf,
  webhookSecretIdOf,
} from "../../aws/secrets/read-secret-value.ts";
import { isPlainKey, isRegion, readRegion, regions } from "../../chat/address.ts";
import { composeChatClient } from "../../chat/compose.ts";
import type { Family } from "../../chat/operation.ts";
import { fieldText } from "../rotation/rotated-credentials.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./run-checks.ts";

export interface SecretCredentials {
  readonly appId: string;
  readonly region: string;
  readonly apiKey: string;
  readonly webhookUsername: string;
  readonly webhookPassword: string;
  readonly webhookSecret?: string | undefined;
}

/** No retries: after a 429 they would exceed a check's time. */
export function chatOf<const Families extends Readonly<Record<string, Family>>>(
  { appId, region, apiKey }: SecretCredentials,
  { fetch, now, sleep, chatBaseUrlTemplate: baseUrlTemplate }: DoctorServices,
  families: Families,
) {
  const limits = { retry: { maxTries: 1 }, timeoutMs: 5_000 };
  return composeChatClient(
    { appId, region: readRegion(region), apiKey, baseUrlTemplate, fetch, now, sleep, ...limits },
    families,
  );
}

type SecretServices = Pick<DoctorServices, "callAws" | "secretPrefix">;

/** Names the secret and the field, never a value. @throws AwsCallError */
export async function readAppSecretState(
  appId: string,
  { callAws, secretPrefix, remedies }: SecretServices & Pick<DoctorServices, "remedies">,
) {
  const secretId = secretIdOf(secretPrefix, appId);
  const unfit = (says: string, remedy = remedies.setUpApp(appId)) => ({
    found: wrong(says, remedy),
    credentials: undefined,
    webhookChangedAt: 0,
  });
  const incomplete = (why: string, remedy?: string) =>
    unfit(`The app's secret is not complete. ${why}`, remedy);
  try {
    const version = await readSecretVersion(callAws, secretId, "AWSCURRENT");
    const { text } = parseSecret(secretId, version.SecretString);
    if (text("appId").trim() !== appId)
      return unfit(`The app's secret holds the credentials of another app (${text("appId")}).`);
    const webhookId = webhookSecretIdOf(secretPrefix, appId);
    const webhookVersion = await unlessNotFound(readSecretVersion(callAws, webhookId, "AWSCURRENT"));
    if (webhookVersion === undefined) return incomplete(`There is no secret ${webhookId}.`);
    const webhook = parseSecret(webhookId, webhookVersion.SecretString);
    const ofWebhook = fieldsIn(webhookVersion.SecretString);
    const textIn = (field: string) => fieldText(ofWebhook, field);
    const credentials: SecretCredentials = {
      appId,
      region: text("region"),
      apiKey: text("apiKey"),
      webhookUsername: webhook.text("webhookUsername"),
      webhookPassword: webhook.text("webhookPassword"),
      webhookSecret: textIn("webhookSecret"),
    };
    if (!isRegion(credentials.region))
      return incomplete(`Its "region" must be one of ${regions.join(", ")}.`);
    if (!isPlainKey(credentials.apiKey))
      return incomplete('Its "apiKey" is no key: a key has no spaces and no line breaks.');
    const values = Object.entries({ ...fieldsIn(version.SecretString), ...ofWebhook });
    const [problem] = values.flatMap(([field, value]) => findProblem(field, value));
    if (problem !== undefined) return incomplete(problem.why, problem.isByHand ? correctField : undefined);
    const mustBeSigned = textIn("webhookSignature") !== undefined;
    const found =
      mustBeSigned && credentials.webhookSecret === undefined
        ? wrong(
            "The app's webhook secret requires signatures and has no key for them: every delivery is refused.",
            "Add webhookSecret to it, or take webhookSignature out (docs/deploy.md#require-signatures)",
          )
        : ok(
            `The app's secret is complete (this version is of ${isoOf(createdAtMs(version)).slice(0, 10)}).`,
          );
    return { found, credentials, webhookChangedAt: createdAtMs(webhookVersion) };
  } catch (error) {
    if (error instanceof InvalidSecretError) return incomplete(error.message);
    if (isNotFound(error)) return unfit("The app has no secret.");
    if (error instanceof AwsCallError && error.code === "InvalidRequestException")
      return unfit("The app's secret is going to be deleted.");
    throw error;
  }
}

const correctField =
  "Write its fields back with this one corrected: the commands are in docs/deploy.md#secrets-of-your-own-functions";

function isoOf(ms: number) {
  return new Date(ms).toISOString();
}

export async function readPendingSince(
  appId: string,
  { callAws, secretPrefix }: SecretServices,
): Promise<number | undefined> {
  const since: number[] = [];
  for (const secretId of [secretIdOf(secretPrefix, appId), webhookSecretIdOf(secretPrefix, appId)]) {
    const pending = await unlessNotFound(readSecretVersion(callAws, secretId, "AWSPENDING"));
    const stages = pending?.VersionStages;
    // A finished rotation leaves both labels on one version.
    if (pending && Array.isArray(stages) && !stages.includes("AWSCURRENT")) since.push(createdAtMs(pending));
  }
  return since.length === 0 ? undefined : Math.min(...since);
}

export async function readReplaced(
  appId: string,
  { callAws, secretPrefix, previousMs, now }: SecretServices & Pick<DoctorServices, "previousMs" | "now">,
) {
  const id = webhookSecretIdOf(secretPrefix, appId);
  const current = await readSecretVersion(callAws, id, "AWSCURRENT");
  const previous = (await unlessNotFound(readSecretVersion(callAws, id, "AWSPREVIOUS"))) ?? {};
  const fields = fieldsIn(current.SecretString);
  const { replacedWebhookPassword: replaced, replacedWebhookPasswordUntil: until } = fields;
  const isKept = replaced !== undefined && (until === undefined || now() < Date.parse(String(until)));
  const replacedAt = Math.max(createdAtMs(current), createdAtMs(previous));
  const others = Object.entries(fieldsIn(previous.SecretString)).filter(
    ([name, value]) =>
      /^(?!replaced)\w*(Username|Password|webhookSecret)$/.test(name) &&
      value !== fields[name] &&
      value !== replaced,
  );
  const names = others.map(([name]) => name);
  const end = () => isoOf(replacedAt + previousMs);
  return {
    names,
    replacedAt,
    accepted: [
      ...(isKept
        ? [`replacedWebhookPassword ${until === undefined ? "without an end" : `until ${until}`}`]
        : []),
      ...(now() < replacedAt + previousMs ? names.map((name) => `the previous ${name} until ${end()}`) : []),
    ],
  };
}

/**
 * Setup writes the webhook's credentials, and removes blanks. `isByHand`: no command can know the right
 * value.
 */
function findProblem(field: string, value: unknown) {
  if (field.startsWith("replaced")) return [];
  if (typeof value !== "string")
    return /^webhookS/.test(field) ? [{ why: `Its "${field}" is not a text.`, isByHand: true }] : [];
  const why = problemOfText(field, value);
  if (why === undefined) return [];
  const isMade = /^webhook(Username|Password)$/.test(field);
  return [{ why, isByHand: !isMade && problemOfText(field, value.trim()) !== undefined }];
}

function createdAtMs({ CreatedDate }: StoredVersion) {
  return Number(CreatedDate) * 1_000;
}

export async function checkRotation(appId: string, services: DoctorServices): Promise<Found> {
  const since = await readPendingSince(appId, services);
  if (since === undefined) {
    const { accepted } = await readReplaced(appId, services);
    const also = accepted.length === 0 ? "" : ` Still accepted: ${accepted.join("; ")}.`;
    return ok(`No rotation is under way.${also}`);
  }
  const hours = (services.now() - since) / hourMs;
  const began = `A rotation began ${isoOf(since).slice(0, 16)}Z`;
  return hours < stuckAfterHours
    ? ok(`${began} and is under way.`)
    : wrong(`${began} and makes no progress.`, services.remedies.rotationStatus(appId));
}

const hourMs = 3_600_000;
/** Exceeds any wait between two steps. */
const stuckAfterHours = 6;

export const withoutSecret = unknown("It cannot be checked without the app's secret.");
