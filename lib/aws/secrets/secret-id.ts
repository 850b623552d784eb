import { isAbsent } from "../is-not-found.ts";

/** Returns the name of an app's secret: `{appId, region, apiKey}`, and the team's own fields. */
export function secretIdOf(secretPrefix: string, appId: string): string {
  return `${secretPrefix}/${appId}`;
}

/**
 * Returns the name of the secret that authenticates the platform's requests: `isWebhookField`, and `appId`.
 */
export function webhookSecretIdOf(secretPrefix: string, appId: string): string {
  return `${secretIdOf(secretPrefix, appId)}/webhook`;
}

/**
 * Returns what `read` returns for an app's webhook secret. Until the version after this one: for the app's
 * secret, if a stage of an older version still has the fields there.
 * @throws what `read` throws for the webhook secret, or for the app's if that is there and cannot be read
 */
export async function readWebhookSecret<T>(
  secretPrefix: string,
  appId: string,
  read: (secretId: string) => Promise<T>,
): Promise<T> {
  try {
    return await read(webhookSecretIdOf(secretPrefix, appId));
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return read(secretIdOf(secretPrefix, appId)).catch((other: unknown) => {
      throw isAbsent(other) ? error : other;
    });
  }
}
