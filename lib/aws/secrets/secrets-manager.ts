import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { readAwsEnvironment } from "../../base/config.ts";
import { createPost } from "../post.ts";

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

/** What the SDK hands over to be sent: signed, in JSON. */
interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * Makes the AWS SDK's client of Secrets Manager. It is told all that it would otherwise look for in files, single sign-on
 * and metadata services, and sends through the connections of lib/aws/post.ts: its own handler loads all of `fetch`
 * (docs/decisions/0019-the-sdk-gets-what-lambda-knows.md).
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
