import { describe, expect, it, onTestFinished } from "vitest";
import { AwsCallError, type AwsCaller, createAwsCaller } from "../../../../lib/aws/aws-call.ts";
import { readAppSecretState, readReplaced } from "../../../../lib/operate/doctor/app-secret-state.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";
import { startSecretsEndpoint } from "../../../../local/cloud/secrets-endpoint.ts";

const hourMs = 3_600_000;
const startedAt = Date.UTC(2026, 0, 1);

/** Puts a version of a webhook secret per hour; returns what is accepted `minutes` after the last. */
async function acceptedAfter(minutes: number, ...versions: readonly object[]): Promise<readonly string[]> {
  let nowMs = startedAt;
  const secrets = await startSecretsEndpoint({ now: () => nowMs });
  onTestFinished(() => secrets.close());
  for (const version of versions) {
    nowMs += hourMs;
    secrets.put("x/app-1/webhook", version);
  }
  nowMs += minutes * 60_000;
  const callAws = createAwsCaller({ AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url }, { now: () => nowMs });
  const services = { callAws, secretPrefix: "x", previousMs: hourMs, now: () => nowMs };
  return (await readReplaced("app-1", services)).accepted;
}

describe("the report of what is still accepted", () => {
  const [old, current] = [{ webhookPassword: "old" }, { webhookPassword: "new" }];

  it.each([
    [59, ["the previous webhookPassword until 2026-01-01T03:00:00.000Z"]],
    [61, []],
  ])("names a replaced password %i minutes after the change", async (minutes, accepted) => {
    expect(await acceptedAfter(minutes, old, current)).toEqual(accepted);
  });

  it.each([
    [{ replacedWebhookPassword: "old" }, ["replacedWebhookPassword without an end"]],
    [
      { replacedWebhookPassword: "old", replacedWebhookPasswordUntil: "2026-01-01T04:00:00.000Z" },
      ["replacedWebhookPassword until 2026-01-01T04:00:00.000Z"],
    ],
    [{ replacedWebhookPassword: "old", replacedWebhookPasswordUntil: "2026-01-01T01:00:00.000Z" }, []],
  ])("names a password that a rotation keeps: %j", async (kept, accepted) => {
    expect(await acceptedAfter(5, old, { ...current, ...kept })).toEqual(accepted);
  });

  it("omits a password that a rotation kept and then ended", async () => {
    const kept = { replacedWebhookPassword: "old", replacedWebhookPasswordUntil: "2026-01-01T04:00:00.000Z" };
    expect(await acceptedAfter(5, { ...current, ...kept }, current)).toEqual([]);
  });

  it("is empty for a secret that never changed", async () => {
    expect(await acceptedAfter(1, current)).toEqual([]);
  });
});

it.each([
  [{ replacedApiKey: "abc " }, "fit", undefined],
  [{ replacedWebhookPassword: "abc\n" }, "fit", undefined],
  [{ ticketToken: "abc " }, "unfit", "setup --app app-1"],
  [{ ticketToken: "a\nbc " }, "unfit", "docs/deploy.md#secrets-of-your-own-functions"],
  [{ ticketUsername: "a:b" }, "unfit", "docs/deploy.md#secrets-of-your-own-functions"],
  [{ webhookSignature: true }, "unfit", "docs/deploy.md#secrets-of-your-own-functions"],
] as const)("reports a secret with %j as %s", async (fields, kind, remedy) => {
  const secrets = await startSecretsEndpoint();
  onTestFinished(() => secrets.close());
  secrets.put("x/app-1", { appId: "app-1", region: "us", apiKey: "k".repeat(40), ...fields });
  secrets.put("x/app-1/webhook", { webhookUsername: "platform", webhookPassword: "p" });
  const callAws = createAwsCaller({ AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url });

  const services = { callAws, secretPrefix: "x", remedies: remediesFor("--local") };
  const { found, credentials } = await readAppSecretState("app-1", services);

  expect(credentials === undefined).toBe(kind === "unfit");
  expect(found).toMatchObject(
    remedy === undefined ? { status: "ok" } : { status: "wrong", remedy: expect.stringContaining(remedy) },
  );
});

it("does not report the webhook's secret as missing if access is denied", async () => {
  const callAws: AwsCaller = async (call) => {
    if (!JSON.stringify(call.input).includes("webhook"))
      return { SecretString: JSON.stringify({ appId: "app-1", region: "us", apiKey: "k" }) };
    throw new AwsCallError(call, { code: "AccessDeniedException", status: 400, maybeExecuted: false });
  };

  const services = { callAws, secretPrefix: "x", remedies: remediesFor("--local") };

  await expect(readAppSecretState("app-1", services)).rejects.toThrow("AccessDenied");
});
