import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

export interface SecretsManager {
  /** Reads a version, by default the current one. Returns undefined if it is not text. */
  read(secretId: string, stage?: string): Promise<string | undefined>;
}

/** Milliseconds per SDK try: for the connection and the whole. */
interface SecretsManagerLimits {
  readonly connectMs: number;
  readonly answerMs: number;
}

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
