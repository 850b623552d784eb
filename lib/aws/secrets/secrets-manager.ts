import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/** The part of the AWS SDK's client that this system uses. */
export interface SecretsManager {
  /**
   * Reads the value of a secret, by default the current version. Returns undefined if it is not text. Throws
   * the SDK's error on failure.
   */
  read(secretId: string, stage?: string): Promise<string | undefined>;
}

/** Limits of each SDK try, in milliseconds: for the connection and for the whole try. */
interface SecretsManagerLimits {
  readonly connectMs: number;
  readonly answerMs: number;
}

/**
 * Makes the AWS SDK's client of Secrets Manager, which finds region, address and credentials in its
 * environment.
 */
export function createSecretsManager({ connectMs, answerMs }: SecretsManagerLimits): SecretsManager {
  const sdk = new SecretsManagerClient({
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      socketTimeout: answerMs,
      throwOnRequestTimeout: true,
    },
  });
  return {
    read: async (SecretId, VersionStage) =>
      (await sdk.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString,
  };
}
