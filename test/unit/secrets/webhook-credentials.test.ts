import { describe, expect, it } from "vitest";
import { type AwsCall, AwsCallError, type AwsCaller } from "../../../lib/aws/aws-call.ts";
import { digestCredentials } from "../../../lib/http/basic-auth.ts";
import { readSecretValue } from "../../../lib/secrets/read-secret-value.ts";
import { createWebhookCredentials } from "../../../lib/secrets/webhook-credentials.ts";

type Version = object | "missing" | "throttled" | "broken" | "binary";

const secretOf = (webhookPassword: string, more: object = {}) => ({
  webhookUsername: "platform",
  webhookPassword,
  ...more,
});

/** Credentials from a Secrets Manager that has these versions of the secret. */
function createCredentials(versions: { readonly AWSCURRENT: Version; readonly AWSPREVIOUS: Version }) {
  const callAws: AwsCaller = async (call) => {
    const version = call.input.VersionStage === "AWSPREVIOUS" ? versions.AWSPREVIOUS : versions.AWSCURRENT;
    if (version === "missing") throw failed(call, "ResourceNotFoundException");
    if (version === "throttled") throw failed(call, "ThrottlingException");
    if (version === "binary") return { SecretBinary: "e30=" };
    return { SecretString: version === "broken" ? "{" : JSON.stringify(version) };
  };
  return createWebhookCredentials({ callAws, secretPrefix: "x", appId: "app-1", now: () => 0 });
}

const digestOf = (password: string) => digestCredentials({ username: "platform", password });

function failed(call: AwsCall, code: string): AwsCallError {
  return new AwsCallError(call, { code, status: 400, maybeExecuted: false });
}

describe("createWebhookCredentials", () => {
  it("accepts the current and the previous version's credentials, for all families without own ones", async () => {
    const versions = { AWSCURRENT: secretOf("new"), AWSPREVIOUS: secretOf("old") };

    const { senders, signingKeys } = await createCredentials(versions).get();

    const families = ["webhook", "legacy", "bot", "notification", "extension", "moderation"];
    expect(senders).toEqual([
      { digest: digestOf("new"), families },
      { digest: digestOf("old"), families },
    ]);
    expect(signingKeys).toEqual([]);
  });

  it.each(["missing", "broken", "binary"] as const)(
    "does without a previous version that is %s",
    async (AWSPREVIOUS) => {
      const credentials = createCredentials({ AWSCURRENT: secretOf("new"), AWSPREVIOUS });

      expect((await credentials.get()).senders.map(({ digest }) => digest)).toEqual([digestOf("new")]);
    },
  );

  it("fails when the previous version cannot be read now: its senders are not locked out by an outage", async () => {
    const credentials = createCredentials({ AWSCURRENT: secretOf("new"), AWSPREVIOUS: "throttled" });

    await expect(credentials.get()).rejects.toThrow("ThrottlingException");
  });

  it.each(["missing", "throttled", "broken", "binary"] as const)(
    "fails when the current version is %s",
    async (AWSCURRENT) => {
      const credentials = createCredentials({ AWSCURRENT, AWSPREVIOUS: secretOf("old") });

      await expect(credentials.get()).rejects.toThrow();
    },
  );

  it("goes on taking the previous signing key while a new one is there", async () => {
    const AWSCURRENT = secretOf("a", { webhookSecret: "new-key" });
    const AWSPREVIOUS = secretOf("a", { webhookSecret: "old-key" });

    const { signingKeys } = await createCredentials({ AWSCURRENT, AWSPREVIOUS }).get();

    expect(signingKeys).toEqual(["new-key", "old-key"]);
  });

  it("forgets the previous signing key once the current version has none", async () => {
    const AWSPREVIOUS = secretOf("a", { webhookSecret: "old-key" });

    const { signingKeys } = await createCredentials({ AWSCURRENT: secretOf("a"), AWSPREVIOUS }).get();

    expect(signingKeys).toEqual([]);
  });

  it.each([
    [{ botUsername: "bot" }, "botPassword"],
    [{ botPassword: "p" }, "botUsername"],
  ])("fails when a family has half of its own credentials: %j", async (half, missing) => {
    const credentials = createCredentials({ AWSCURRENT: secretOf("a", half), AWSPREVIOUS: "missing" });

    await expect(credentials.get()).rejects.toThrow(`no text in "${missing}"`);
  });
});

describe("readSecretValue", () => {
  it.each([
    ["a text", { SecretString: "{}" }, "{}"],
    ["bytes", { SecretBinary: "e30=" }, undefined],
    ["nothing", undefined, undefined],
    ["null", null, undefined],
    ["no object", "text", undefined],
  ])("gives the text of a secret when the answer is %s", async (_case, answer, value) => {
    expect(await readSecretValue(async () => answer, "app", "AWSCURRENT")).toBe(value);
  });
});
