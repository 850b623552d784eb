import type { AwsCaller } from "../../aws/aws-call.ts";
import { readWebhookSecret, secretIdOf } from "../../aws/secrets/secret-id.ts";
import {
  fieldsOf,
  fieldText,
  type RotatedThing,
  rotatedThings,
  type StoredFields,
} from "./rotated-things.ts";
import { createSecretVersions, type SecretState, type SecretVersions } from "./secret-versions.ts";

/** One secret of an app, and what of it can be rotated. */
export interface RotatedSecret {
  readonly things: readonly RotatedThing[];
  readonly secret: SecretVersions;
  /** When it was opened. */
  readonly state: SecretState;
}

/**
 * Reads the secrets of an app: each is rotated by itself. An older version's stage has everything in one.
 * @throws AwsCallError if there is no secret of the app, or it cannot be read
 */
export async function openAppSecrets(
  callAws: AwsCaller,
  secretPrefix: string,
  appId: string,
): Promise<readonly [RotatedSecret, ...RotatedSecret[]]> {
  const open = async (secretId: string) => {
    const secret = createSecretVersions(callAws, secretId);
    return { secret, state: await secret.read() };
  };
  const webhook = await readWebhookSecret(secretPrefix, appId, open);
  const appSecretId = secretIdOf(secretPrefix, appId);
  if (webhook.secret.secretId !== appSecretId) {
    const app = await open(appSecretId);
    return [
      { ...webhook, things: ["webhook-password"] },
      { ...app, things: ["api-key"] },
    ];
  }
  const isSingle = fieldText(webhook.state.current.fields, fieldsOf["webhook-password"].field) !== undefined;
  return [{ ...webhook, things: isSingle ? rotatedThings : ["api-key"] }];
}

/** Of the current version of the secret that has the app's key. */
export async function readAppFields(
  secrets: readonly Pick<RotatedSecret, "things" | "secret">[],
): Promise<StoredFields> {
  const own = secrets.find(({ things }) => things.includes("api-key"));
  return (await own?.secret.read())?.current.fields ?? {};
}
