import type { AwsCaller } from "../../aws/aws-call.ts";
import { secretIdOf, webhookSecretIdOf } from "../../aws/secrets/secret-id.ts";
import type { RotatedThing, StoredFields } from "./rotated-things.ts";
import { createSecretVersions, type SecretState, type SecretVersions } from "./secret-versions.ts";

/** One secret of an app, and what of it can be rotated. */
export interface RotatedSecret {
  readonly things: readonly RotatedThing[];
  readonly secret: SecretVersions;
  /** When it was opened. */
  readonly state: SecretState;
}

/**
 * Reads the secrets of an app: each is rotated by itself.
 * @throws AwsCallError if one is missing, or cannot be read
 */
export async function openAppSecrets(
  callAws: AwsCaller,
  secretPrefix: string,
  appId: string,
): Promise<readonly [RotatedSecret, RotatedSecret]> {
  const open = async (secretId: string, thing: RotatedThing): Promise<RotatedSecret> => {
    const secret = createSecretVersions(callAws, secretId);
    return { secret, state: await secret.read(), things: [thing] };
  };
  return [
    await open(webhookSecretIdOf(secretPrefix, appId), "webhook-password"),
    await open(secretIdOf(secretPrefix, appId), "api-key"),
  ];
}

/** Of the current version of the secret that has the app's key. */
export async function readAppFields(
  secrets: readonly Pick<RotatedSecret, "things" | "secret">[],
): Promise<StoredFields> {
  const own = secrets.find(({ things }) => things.includes("api-key"));
  return (await own?.secret.read())?.current.fields ?? {};
}
