import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/** The part of the AWS SDK's client that is used here. */
export interface SecretsManager {
  /**
   * Reads the value of a secret, the current one unless another stage is named; undefined when it is no text. Throws the
   * SDK's error when it cannot.
   */
  read(secretId: string, stage?: string): Promise<string | undefined>;
}

/** Limits of each of the SDK's tries, in milliseconds: until a connection stands, and of the whole try. */
interface SecretsManagerLimits {
  readonly connectMs: number;
  readonly answerMs: number;
}

/** Makes the AWS SDK's client of Secrets Manager, which finds region, address and credentials in its environment. */
export function createSecretsManager({ connectMs, answerMs }: SecretsManagerLimits): SecretsManager {
  const sdk = new SecretsManagerClient({
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
    },
  });
  return {
    read: async (SecretId, VersionStage) =>
      (await sdk.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString,
  };
}
