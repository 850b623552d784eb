import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AwsCredentials } from "../target/identity.ts";
import { toFailure } from "../to-failure.ts";

/**
 * Serves credentials to another process, as a container's agent does.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export async function serveCredentials(credentials: () => Promise<AwsCredentials>) {
  const token = randomUUID();
  let lastError: string | undefined;
  const server = createServer(async ({ method, headers }, response) => {
    if (method !== "GET" || headers.authorization !== token) {
      response.writeHead(403).end();
      return;
    }
    try {
      const body = JSON.stringify(toAnswer(await credentials()));
      lastError = undefined;
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    } catch (error) {
      lastError = toFailure(error).message;
      response.writeHead(500).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    variables: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: token,
    },
    /** Why the last request failed. */
    lastError: () => lastError,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The SDK requires all fields. */
function toAnswer({ accessKeyId, secretAccessKey, sessionToken, expiration }: AwsCredentials) {
  return {
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    Token: sessionToken ?? "",
    Expiration: expiration?.toISOString() ?? "9999-12-31T23:59:59Z",
  };
}
