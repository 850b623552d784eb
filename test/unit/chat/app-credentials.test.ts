import { beforeEach, describe, expect, it, vi } from "vitest";
import { createReadSecret } from "../../../lib/aws/secrets/secret-reader.ts";
import { createAppCredentials } from "../../../lib/chat/app-credentials.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const secret = { appId: "app-1", region: "eu", apiKey: "key-1", webhookUsername: "u", webhookPassword: "p" };

describe("createAppCredentials", () => {
  beforeEach(() => {
    vi.stubEnv("AWS_REGION", "eu-central-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a-secret-access-key");
    return () => vi.unstubAllEnvs();
  });

  it("reads the app's secret through the AWS SDK", async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end(JSON.stringify({ SecretString: JSON.stringify(secret) }));
    });
    vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", server.url);
    const credentials = createAppCredentials({
      readSecret: createReadSecret(),
      secretPrefix: "chat/prod",
      appId: "app-1",
      now: () => 0,
    });

    expect(await credentials.get()).toEqual({ appId: "app-1", region: "eu", apiKey: "key-1" });
    const [request] = server.requests;
    expect(request?.headers["x-amz-target"]).toBe("secretsmanager.GetSecretValue");
    expect(request?.headers["user-agent"]).toContain("aws-sdk-js");
    expect(JSON.parse(request?.body ?? "")).toEqual({ SecretId: "chat/prod/app-1" });
  });
});
