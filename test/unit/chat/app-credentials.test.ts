import { beforeEach, describe, expect, it, vi } from "vitest";
import { createReadSecret } from "../../../lib/aws/secrets/secret-reader.ts";
import { createAppCredentials } from "../../../lib/chat/app-credentials.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const secret = { appId: "app-1", region: "eu", apiKey: "key-1", webhookUsername: "u", webhookPassword: "p" };

/** Secrets Manager that gives `answers` one after the other, the last one for ever. */
async function createCredentials(...answers: object[]) {
  const server = await startLoopbackServer((_request, response) => {
    const value = answers[server.requests.length - 1] ?? answers.at(-1);
    response.setHeader("content-type", "application/x-amz-json-1.1");
    response.end(JSON.stringify({ SecretString: JSON.stringify(value) }));
  });
  vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", server.url);
  const clock = { ms: 0 };
  const credentials = createAppCredentials({
    readSecret: createReadSecret(),
    secretPrefix: "chat/prod",
    appId: "app-1",
    now: () => clock.ms,
  });
  return { credentials, server, clock };
}

describe("createAppCredentials", () => {
  beforeEach(() => {
    vi.stubEnv("AWS_REGION", "eu-central-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a-secret-access-key");
    return () => vi.unstubAllEnvs();
  });

  it("reads the app's secret through the AWS SDK", async () => {
    const { credentials, server } = await createCredentials(secret);

    expect(await credentials.get()).toEqual({ appId: "app-1", region: "eu", apiKey: "key-1" });
    const [request] = server.requests;
    expect(request?.headers["x-amz-target"]).toBe("secretsmanager.GetSecretValue");
    expect(request?.headers["user-agent"]).toContain("aws-sdk-js");
    expect(JSON.parse(request?.body ?? "")).toEqual({ SecretId: "chat/prod/app-1" });
  });

  it("fetches once for callers at the same time, and again after three minutes", async () => {
    const { credentials, server, clock } = await createCredentials(secret);

    await Promise.all([credentials.get(), credentials.get(), credentials.get()]);
    clock.ms = 3 * 60_000 - 1;
    await credentials.get();
    expect(server.requests).toHaveLength(1);

    clock.ms += 1;
    await credentials.get();
    expect(server.requests).toHaveLength(2);
  });

  it("reads a new key when asked to, as after a 401", async () => {
    const { credentials } = await createCredentials(secret, { ...secret, apiKey: "key-2" });
    await credentials.get();

    expect((await credentials.refresh()).apiKey).toBe("key-2");
    expect((await credentials.get()).apiKey).toBe("key-2");
  });
});
