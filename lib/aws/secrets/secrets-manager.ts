import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { readAwsEnvironment } from "../../base/config.ts";
import { createPost } from "../post.ts";

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

interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Creates the AWS SDK's client of Secrets Manager. It gets explicitly what it would otherwise look up in
 * files, single sign-on and metadata services. It sends through lib/aws/post.ts, because the SDK's own
 * handler loads all of `fetch` (docs/decisions/0019-the-sdk-gets-what-lambda-knows.md).
 */
export function createSecretsManager({ connectMs, answerMs }: SecretsManagerLimits): SecretsManager {
  const env = readAwsEnvironment();
  const region = env.AWS_REGION ?? "us-east-1";
  const endpoint = env.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? `https://secretsmanager.${region}.amazonaws.com`;
  const post = createPost(endpoint);
  const sdk = new SecretsManagerClient({
    region,
    endpoint,
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
      ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    },
    maxAttempts: 3,
    retryMode: "standard",
    defaultsMode: "standard",
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: async () => undefined,
    defaultUserAgentProvider: async () => [["aws-sdk-js", "3"]],
    requestHandler: {
      handle: async ({ headers, body }: SignedRequest) => {
        const answer = await post({
          headers,
          body: body instanceof Uint8Array ? body : Buffer.from(String(body)),
          timeoutMs: answerMs,
          connectTimeoutMs: connectMs,
        });
        return {
          response: { statusCode: answer.status, headers: {}, body: Buffer.from(answer.body) },
        };
      },
      updateHttpClientConfig: () => {},
      httpHandlerConfigs: () => ({}),
    },
    streamCollector: async (body) => body,
  });
  return {
    read: async (SecretId, VersionStage) =>
      (await sdk.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString,
  };
}
