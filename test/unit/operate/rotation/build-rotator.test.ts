import { expect, it, onTestFinished, vi } from "vitest";
import { settingsFrom } from "../../../../lib/chat/settings-from.ts";
import { buildRotator } from "../../../../lib/operate/rotation/build-rotator.ts";
import { rotationSettingsSchema } from "../../../../lib/operate/rotation/rotation-settings.ts";
import { startSecretsEndpoint } from "../../../../local/cloud/secrets-endpoint.ts";
import { startLoopbackServer } from "../../../helpers/loopback-server.ts";

async function startSecrets() {
  const secrets = await startSecretsEndpoint();
  onTestFinished(async () => {
    await secrets.close();
    vi.unstubAllEnvs();
  });
  const environment = {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    SECRET_PREFIX: "x",
    MANAGEMENT_SECRET_ID: "x/management",
    CHAT_MANAGEMENT_URL: "https://management.example",
    CHAT_BASE_URL_TEMPLATE: "https://{appId}.example",
    HTTP_API_URL: "https://receiver.example",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  secrets.put("x/local-app", { appId: "local-app", region: "us", apiKey: "key" });
  secrets.put("x/local-app/webhook", { webhookUsername: "platform", webhookPassword: "first" });
  return secrets;
}

it("uses management credentials that were added since a warm process looked for them", async () => {
  const secrets = await startSecrets();
  const rotation = { SecretId: "x/local-app/webhook", ClientRequestToken: crypto.randomUUID() };
  secrets.call("RotateSecret", { ...rotation, RotationLambdaARN: "arn:of:nobody" }, "us-east-1");
  const file = { default: { rotate: ["webhook-password"] }, apps: {} };
  const { takeStep } = buildRotator(settingsFrom(file, rotationSettingsSchema));
  const [{ arn = "" } = {}] = secrets.contents().filter(({ name }) => name === rotation.SecretId);
  const step = { ...rotation, SecretId: arn, Step: "createSecret" as const };
  await expect(takeStep(step)).rejects.toMatchObject({ trouble: "no-management" });

  secrets.put("x/management", { key: "key", secret: "s3cr3t-value" });
  const ours = { id: "functions", webhookURL: "https://receiver.example/webhooks/local-app" };
  const management = await startLoopbackServer((_request, response) =>
    response.end(JSON.stringify({ data: [ours] })),
  );
  vi.stubEnv("CHAT_MANAGEMENT_URL", management.url);
  await takeStep(step);

  const [secret] = secrets.contents().filter(({ arn: one }) => one === arn);
  expect(secret?.versions.find(({ id }) => id === rotation.ClientRequestToken)?.value.text).toContain(
    '"rotating":"webhook-password"',
  );
});

it("does not wait for one app's rate limit until the function's time is up", async () => {
  const secrets = await startSecrets();
  const platform = await startLoopbackServer((_request, response) =>
    response.writeHead(429, { "retry-after": "100" }).end("{}"),
  );
  vi.stubEnv("CHAT_BASE_URL_TEMPLATE", `${platform.url}/{appId}`);
  const { finishAll } = buildRotator(settingsFrom({ default: {}, apps: {} }, rotationSettingsSchema));

  expect(await finishAll()).toEqual({ apps: 1, failed: 0 });
  const app = { appId: "local-app", region: "us", apiKey: "key" };
  const overlap = { replacedApiKey: "old", replacedApiKeyUntil: "2020-01-01T00:00:00Z" };
  secrets.put("x/local-app", { ...app, ...overlap });
  expect(await finishAll()).toEqual({ apps: 1, failed: 1 });
});

it("ends the overlap of a key although the webhook's secret cannot be read", async () => {
  const secrets = await startSecrets();
  secrets.put("x/local-app", { appId: "local-app", region: "us", apiKey: "key", rotating: "api-key" });
  secrets.put("x/local-app/webhook", []);
  const { finishAll } = buildRotator(settingsFrom({ default: {}, apps: {} }, rotationSettingsSchema));

  expect(await finishAll()).toEqual({ apps: 1, failed: 1 });

  const [secret] = secrets.contents().filter(({ name }) => name === "x/local-app");
  const current = secret?.versions.find(({ stages }) => stages.includes("AWSCURRENT"));
  expect(current?.value.text).not.toContain("rotating");
});
