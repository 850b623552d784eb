import { AwsCallError } from "../../aws/aws-call.ts";
import { isNotFound } from "../../aws/is-not-found.ts";
import { InvalidSecretError, parseSecret, problemOfText } from "../../aws/secrets/parse-secret.ts";
import { secretIdOf } from "../../aws/secrets/secret-id.ts";
import { isRecord, parseJson } from "../../base/json.ts";
import { regions } from "../../chat/address.ts";
import type { DoctorServices } from "./doctor-services.ts";

/** Or why it cannot be used. */
export type AppSecretState =
  | { readonly kind: "missing" | "deleted" }
  /** Names secret and field, never a value. */
  | { readonly kind: "unfit"; readonly why: string }
  | { readonly kind: "foreign"; readonly holdsAppId: string }
  | { readonly kind: "fit"; readonly credentials: SecretCredentials; readonly createdAt: number | undefined };

export interface SecretCredentials {
  readonly appId: string;
  readonly region: string;
  readonly apiKey: string;
  readonly webhookUsername: string;
  readonly webhookPassword: string;
}

/**
 * Reads the current version.
 * @throws AwsCallError if it cannot be requested
 */
export async function readAppSecretState(
  appId: string,
  { callAws, secretPrefix }: Pick<DoctorServices, "callAws" | "secretPrefix">,
): Promise<AppSecretState> {
  const secretId = secretIdOf(secretPrefix, appId);
  try {
    const answer = await getSecret({ callAws }, secretId, "AWSCURRENT");
    const { text } = parseSecret(secretId, answer.value);
    if (text("appId") !== appId) return { kind: "foreign", holdsAppId: text("appId") };
    const credentials = {
      appId,
      region: text("region"),
      apiKey: text("apiKey"),
      webhookUsername: text("webhookUsername"),
      webhookPassword: text("webhookPassword"),
    };
    if (!regions.some((known) => known === credentials.region)) {
      return { kind: "unfit", why: `Its "region" must be one of ${regions.join(", ")}.` };
    }
    if (!/^[\x21-\x7e]{1,200}$/.test(credentials.apiKey)) {
      return { kind: "unfit", why: 'Its "apiKey" is no key: a key has no spaces and no line breaks.' };
    }
    for (const [field, value] of Object.entries(Object(parseJson(String(answer.value))))) {
      const why = typeof value === "string" ? problemOfText(field, value) : undefined;
      if (why !== undefined) return { kind: "unfit", why };
    }
    return { kind: "fit", credentials, createdAt: answer.createdAt };
  } catch (error) {
    if (error instanceof InvalidSecretError) return { kind: "unfit", why: error.message };
    if (isNotFound(error)) return { kind: "missing" };
    // Scheduled for deletion.
    if (error instanceof AwsCallError && error.code === "InvalidRequestException") return { kind: "deleted" };
    throw error;
  }
}

/** In milliseconds since 1970; undefined without a pending version. */
export async function readPendingSince(
  appId: string,
  { callAws, secretPrefix }: Pick<DoctorServices, "callAws" | "secretPrefix">,
): Promise<number | undefined> {
  try {
    const pending = await getSecret({ callAws }, secretIdOf(secretPrefix, appId), "AWSPENDING");
    // A finished rotation leaves both labels on one version.
    return pending.stages.includes("AWSCURRENT") ? undefined : pending.createdAt;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
async function getSecret(
  { callAws }: Pick<DoctorServices, "callAws">,
  secretId: string,
  stage: "AWSCURRENT" | "AWSPENDING",
): Promise<{
  readonly value: unknown;
  readonly createdAt: number | undefined;
  readonly stages: readonly unknown[];
}> {
  const answer = await callAws({
    service: "secretsmanager",
    target: "secretsmanager.GetSecretValue",
    input: { SecretId: secretId, VersionStage: stage },
  });
  const { SecretString, CreatedDate, VersionStages } = isRecord(answer) ? answer : {};
  return {
    value: SecretString,
    createdAt: typeof CreatedDate === "number" ? CreatedDate * 1000 : undefined,
    stages: Array.isArray(VersionStages) ? VersionStages : [],
  };
}
