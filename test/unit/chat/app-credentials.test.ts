import { describe, expect, it } from "vitest";
import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { createSignedReadSecret } from "../../../lib/aws/secrets/read-secret-value.ts";
import { createAppCredentials } from "../../../lib/chat/app-credentials.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const secret = { appId: "app-1", region: "eu", apiKey: "key-1", webhookUsername: "u", webhookPassword: "p" };

describe("createAppCredentials", () => {
  it("reads the app's secret", async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end(JSON.stringify({ SecretString: JSON.stringify(secret) }));
    });
    const callAws = createAwsCaller({ AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url });
    const credentials = createAppCredentials({
      readSecret: createSignedReadSecret(callAws, Date.now),
      secretPrefix: "chat/prod",
      appId: "app-1",
      now: () => 0,
    });

    expect(await credentials.get()).toEqual({ appId: "app-1", region: "eu", apiKey: "key-1" });
    const [request] = server.requests;
    expect(request?.headers["x-amz-target"]).toBe("secretsmanager.GetSecretValue");
    expect(JSON.parse(request?.body ?? "")).toEqual({
      ...{ SecretId: "chat/prod/app-1", VersionStage: "AWSCURRENT" },
    });
  });
});
