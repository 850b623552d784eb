import { createHmac } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import type { HttpRequest } from "../../../lib/base/http/lambda.ts";
import { verifySender } from "../../../lib/receive/verify-sender.ts";
import { createWebhookCredentials } from "../../../lib/receive/webhook-credentials.ts";
import { startSecretsEndpoint } from "../../../local/cloud/secrets-endpoint.ts";
import { basic } from "../../helpers/deliver.ts";

const secretOf = (webhookPassword: string) => ({
  appId: "app-1",
  region: "us",
  apiKey: "a-key",
  webhookUsername: "platform",
  webhookPassword,
});

async function createApps() {
  const secrets = await startSecretsEndpoint();
  onTestFinished(() => secrets.close());
  secrets.put("test/app-1", secretOf("first"));
  const clock = { ms: 1_000_000 };
  const env = {
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  };
  const callAws = createAwsCaller(env, { now: () => clock.ms });
  const credentials = createWebhookCredentials({
    callAws,
    secretPrefix: "test",
    appId: "app-1",
    now: () => clock.ms,
  });
  return { apps: new Map([["app-1", credentials]]), secrets, clock };
}

const requestOf = (authorization: string | undefined, appId = "app-1"): HttpRequest => ({
  headers: { authorization },
  pathParameters: { appId },
  body: Buffer.alloc(0),
});
const withPassword = (password: string) => requestOf(basic("platform", password));

describe("verifySender", () => {
  it("gives the app whose credentials the request carries", async () => {
    const { apps } = await createApps();

    expect(await verifySender(withPassword("first"), apps)).toMatchObject({ appId: "app-1" });
  });

  it.each([
    ["a wrong password", basic("platform", "wrong")],
    ["a part of the password", basic("platform", "firs")],
    ["the credentials without the scheme", Buffer.from("platform:first").toString("base64")],
    ["no header", undefined],
  ])("refuses %s", async (_case, authorization) => {
    const { apps } = await createApps();

    expect(await verifySender(requestOf(authorization), apps)).toBeUndefined();
  });

  it("refuses an app that is not served, also with credentials of one that is", async () => {
    const { apps } = await createApps();

    expect(await verifySender(requestOf(basic("platform", "first"), "app-2"), apps)).toBeUndefined();
  });

  it("takes a new password within ten seconds of its rotation, and goes on taking the previous one", async () => {
    const { apps, secrets, clock } = await createApps();
    await verifySender(withPassword("first"), apps);

    secrets.put("test/app-1", secretOf("with:colons:пароль"));
    clock.ms += 10_000;

    expect(await verifySender(withPassword("with:colons:пароль"), apps)).toMatchObject({ appId: "app-1" });
    expect(await verifySender(withPassword("first"), apps)).toMatchObject({ appId: "app-1" });
  });

  it("takes a new password that the platform has first, while it is pending here", async () => {
    const { apps, secrets, clock } = await createApps();
    await verifySender(withPassword("first"), apps);
    secrets.call(
      "PutSecretValue",
      {
        SecretId: "test/app-1",
        SecretString: JSON.stringify(secretOf("second")),
        ClientRequestToken: "a-token-of-at-least-32-characters",
        VersionStages: ["AWSPENDING"],
      },
      "us-east-1",
    );
    clock.ms += 5_000;

    expect(await verifySender(withPassword("second"), apps)).toMatchObject({ isReplaced: false });
    expect(await verifySender(withPassword("first"), apps)).toMatchObject({ isReplaced: false });
  });

  it("tells that a password was replaced, so that nobody changes the secret again too soon", async () => {
    const { apps, secrets } = await createApps();
    secrets.put("test/app-1", secretOf("second"));

    expect(await verifySender(withPassword("first"), apps)).toMatchObject({ isReplaced: true });
    expect(await verifySender(withPassword("second"), apps)).toMatchObject({ isReplaced: false });
  });

  it("does not call a password replaced that both versions have", async () => {
    const { apps, secrets } = await createApps();
    secrets.put("test/app-1", { ...secretOf("first"), apiKey: "another-key" });
    await verifySender(withPassword("wrong"), apps);

    expect(await verifySender(withPassword("first"), apps)).toMatchObject({ isReplaced: false });
  });

  it("takes the password before the last change of the key, when the secret keeps it", async () => {
    const { apps, secrets } = await createApps();
    secrets.put("test/app-1", secretOf("second"));
    secrets.put("test/app-1", {
      ...secretOf("second"),
      apiKey: "another-key",
      replacedWebhookPassword: "first",
    });

    expect(await verifySender(withPassword("first"), apps)).toMatchObject({ isReplaced: true });
  });

  it("refuses the password before the previous one", async () => {
    const { apps, secrets } = await createApps();

    secrets.put("test/app-1", secretOf("second"));
    secrets.put("test/app-1", secretOf("third"));

    expect(await verifySender(withPassword("first"), apps)).toBeUndefined();
  });

  it.each([
    ["bot", "answers-only-bots"],
    ["notification", "sends-mail"],
  ])("knows the %s's own credentials from the webhook's", async (family, own) => {
    const { apps, secrets } = await createApps();
    const more = { [`${family}Username`]: family, [`${family}Password`]: own };
    secrets.put("test/app-1", { ...secretOf("first"), ...more });
    secrets.put("test/app-1", { ...secretOf("first"), ...more, region: "eu" });

    const theirs = await verifySender(requestOf(basic(family, own)), apps);
    const general = await verifySender(withPassword("first"), apps);

    expect(theirs?.families).toEqual(new Set([family]));
    expect(general?.families.has("webhook")).toBe(true);
    expect([...(general?.families ?? [])]).not.toContain(family);
  });

  it("fails when a family has a user name of its own and no password", async () => {
    const { apps, secrets } = await createApps();
    secrets.put("test/app-1", { ...secretOf("first"), botUsername: "bot" });

    await expect(verifySender(withPassword("first"), apps)).rejects.toThrow('no text in "botPassword"');
  });

  describe("with a key for signatures", () => {
    const bytes = Buffer.from('{"text":"Grüße 🎉"}');
    const hmac = (key: string) => createHmac("sha256", key).update(bytes).digest("hex");
    const signed = (signature: string | undefined, body = bytes): HttpRequest => ({
      ...withPassword("first"),
      headers: { authorization: basic("platform", "first"), "x-cometchat-signature": signature },
      body,
    });

    async function createSigningApps() {
      const created = await createApps();
      created.secrets.put("test/app-1", { ...secretOf("first"), webhookSecret: "the-key" });
      return created;
    }

    it.each([
      ["the right signature", signed(hmac("the-key"))],
      ["the right signature in capitals", signed(hmac("the-key").toUpperCase())],
      ["no signature, as none is promised", signed(undefined)],
    ])("takes %s", async (_case, request) => {
      const { apps } = await createSigningApps();

      expect(await verifySender(request, apps)).toMatchObject({ appId: "app-1" });
    });

    it.each([
      ["another key's signature", signed(hmac("another-key"))],
      ["a signature of other bytes", signed(hmac("the-key"), Buffer.concat([bytes, Buffer.from(" ")]))],
      ["an empty signature", signed("")],
      ["half a signature", signed(hmac("the-key").slice(0, 32))],
    ])("refuses %s", async (_case, request) => {
      const { apps } = await createSigningApps();

      expect(await verifySender(request, apps)).toBeUndefined();
    });

    it("takes signatures of the previous key while the key rotates", async () => {
      const { apps, secrets } = await createSigningApps();
      secrets.put("test/app-1", { ...secretOf("first"), webhookSecret: "the-next-key" });

      expect(await verifySender(signed(hmac("the-key")), apps)).toMatchObject({ appId: "app-1" });
      expect(await verifySender(signed(hmac("the-next-key")), apps)).toMatchObject({ appId: "app-1" });
    });

    it("does not replace the password", async () => {
      const { apps } = await createSigningApps();
      const { headers, ...request } = signed(hmac("the-key"));

      expect(
        await verifySender({ ...request, headers: { ...headers, authorization: undefined } }, apps),
      ).toBeUndefined();
    });
  });

  it("fails, rather than lets anyone in, when the secret has no credentials", async () => {
    const { apps, secrets } = await createApps();
    secrets.put("test/app-1", { appId: "app-1", webhookUsername: "", webhookPassword: "" });

    await expect(verifySender(requestOf(basic("", "")), apps)).rejects.toThrow(
      'no text in "webhookUsername"',
    );
  });
});
