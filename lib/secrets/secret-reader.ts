import { lazy } from "../lazy.ts";

/** Reads the current value of a secret; undefined when it is no text. Throws the AWS SDK's error when it cannot. */
export type ReadSecret = (secretId: string) => Promise<string | undefined>;

/**
 * Makes a reader of secrets on the AWS SDK, which retries where Secrets Manager asks for it. The SDK is loaded when the
 * first secret is read, and so is not part of a function's cold start.
 */
export function createReadSecret(): ReadSecret {
  const client = lazy(async () => {
    const { GetSecretValueCommand, SecretsManagerClient } = await import("@aws-sdk/client-secrets-manager");
    const sdk = new SecretsManagerClient();
    return { read: (secretId: string) => sdk.send(new GetSecretValueCommand({ SecretId: secretId })) };
  });

  return async (secretId) => {
    const { read } = await client();
    return (await read(secretId)).SecretString;
  };
}
