import { describe, expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { findWebhook } from "../../local/platform/store/webhooks.ts";
import { useConsole } from "../helpers/use-console.ts";
import { warmReceiver } from "../helpers/warm-receiver.ts";

const under = useConsole();
const { at, ask } = under;
const [app] = defaultSeed.apps;

const json = (body: unknown, method = "POST") => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

describe("the routes of the local stack's view", () => {
  it("return a masked value to a separate request", async () => {
    await ask("/api/chat/local-app/users/alice/auth_tokens", json({ force: true }));
    const { body } = await ask("/api/chat/local-app/users/alice/auth_tokens");
    const mask = JSON.parse(JSON.stringify(body)).data[0].authToken;
    const named = { name: "API_KEY", appId: "local-app", scope: "authOnly" };

    expect(mask).toMatch(/^••••.{4,}$/);
    expect(await ask("/api/reveal", json({ mask }))).toMatchObject({
      body: { value: expect.stringMatching(/^alice_\d{10}/) },
    });
    expect(await ask("/api/reveal", json(named))).toEqual({ status: 200, body: { value: app.authOnlyKey } });
    for (const [asked, status] of [
      [{ mask: "••••0000" }, 404],
      [{ ...named, appId: "no-app" }, 404],
      [{ name: "PASSWORD" }, 400],
    ] as const) {
      expect((await ask("/api/reveal", json(asked))).status).toBe(status);
    }
  });

  it("resolve a mask in a path, and keep the console's own key", async () => {
    await ask("/api/chat/local-app/apikeys");
    const path = (key: string) => `/api/chat/local-app/apikeys/${encodeURIComponent(`••••${key.slice(-4)}`)}`;

    expect(await ask(path(app.authOnlyKey))).toMatchObject({ body: { data: { scope: "authOnly" } } });
    expect(await ask(path(app.fullAccessKey), { method: "DELETE" })).toMatchObject({
      body: { error: { code: "ERR_APIKEY_NO_SELF_ACTION" } },
    });
    expect((await ask(path("none"))).status).toBe(404);
  });

  it("report what keeps events from the functions, and repair it", async () => {
    const call = (path: string, body: unknown, method: string) =>
      fetch(at(`/api/management/apps/local-app/webhooks/functions${path}`), {
        ...json(body, method),
        headers: { "content-type": "application/json", "x-webhook-version": "2" },
      });
    await call("", { webhookURL: "http://127.0.0.1:9/", username: "somebody" }, "PUT");
    await ask("/api/platform/apps/local-app/engine", json({ engine: "legacy" }, "PUT"));

    const broken = await ask("/api/stack/webhooks/local-app");
    await ask("/api/stack/reconnect", { method: "POST" });

    expect(broken).toMatchObject({
      body: { engine: "legacy", problems: [{}, {}, {}].map(() => expect.any(String)) },
    });
    expect(await ask("/api/stack/webhooks/local-app")).toMatchObject({
      body: { engine: "current", problems: [] },
    });
  });

  it("check the webhook against the password that the functions accept now", async () => {
    const secret = `${under.world.cloud.outputs.SecretPrefix}/local-app/webhook`;
    const problems = async () => Object((await ask("/api/stack/webhooks/local-app")).body).problems;
    const change = (value: string) =>
      ask("/api/stack/secrets", json({ secret, field: "webhookPassword", value }, "PUT"));
    const answered = async () => {
      const { username, password } = atPlatform();
      const {
        webhook: { url },
        cloud,
      } = under.world;
      cloud.kill("webhook"); // it would cache the secret for another minute
      await warmReceiver(under.world);
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
      return (await fetch(url, { method: "POST", headers: { authorization }, body: "{}" })).status;
    };
    const atPlatform = () => {
      const { db } = under.world.platform.services;
      const { username = "", password = "" } = findWebhook({ db, appId: "local-app" }, 2, "functions") ?? {};
      return { username, password };
    };

    const reconnect = async () => {
      const before = await problems();
      const { status } = await ask("/api/stack/reconnect", { method: "POST" });
      return [before, status, await problems(), await answered()];
    };
    const others = ["The webhook has other credentials than the functions."];

    // While a rotation sets a pending password on the platform, the functions accept it.
    const call = (operation: string, input: object) =>
      under.world.cloud.stores.secrets.call(operation, { SecretId: secret, ...input }, "us-east-1");
    const SecretString = JSON.stringify({ webhookPassword: atPlatform().password });
    const ClientRequestToken = crypto.randomUUID();
    await change("theNextPassword");
    expect(await problems()).toEqual(others);
    call("PutSecretValue", { ClientRequestToken, SecretString, VersionStages: ["AWSPENDING"] });
    expect(await problems()).toEqual([]);
    call("UpdateSecretVersionStage", {
      VersionStage: "AWSPENDING",
      RemoveFromVersionId: ClientRequestToken,
    });

    // The previous password is accepted for another hour, an older one is not.
    await change("aSecondPassword");
    await change("aThirdPassword");
    expect(await reconnect()).toEqual([others, 200, [], 200]);
    expect(atPlatform().password).toBe("aThirdPassword");

    await change("refused-by-the-platform");
    await change("refused, too");
    expect(await reconnect()).toEqual([others, 200, [], 200]);

    await change("aFourthPassword");
    await change("aFifthPassword");
    await ask("/api/stack/reset", { method: "POST" });
    expect([await problems(), await answered(), atPlatform().password]).toEqual([[], 200, "aFifthPassword"]);
  });

  it("moderate a text without storing it", async () => {
    const rule = {
      name: "No figs",
      conditions: [
        { category: "word", operand: "text", operator: "contains", value: ["fig"], message: ["Figs."] },
      ],
    };
    await ask("/api/chat/local-app/moderation/rules", json(rule));
    const judge = (text: string, receiver = "bob") =>
      ask(
        "/api/stack/moderation/local-app/try",
        json({ text, sender: "alice", receiver, receiverType: "user" }),
      );

    expect(await judge("a fig")).toMatchObject({ body: { outcome: "blocked" } });
    expect(await judge("a date")).toMatchObject({ body: { outcome: "approved" } });
    expect(await judge("a fig", "nobody")).toMatchObject({ status: 400 });
    expect(await ask("/api/stack/moderation/local-app/try", json([1]))).toMatchObject({ status: 400 });
    expect(await ask("/api/stack/seed/local-app")).toMatchObject({ body: { contents: { messages: 0 } } });
  });

  it("stop creating load when the local stack is reset, and leave none of it", async () => {
    const wanted = { users: 1_000, messages: 1_000_000 };
    expect((await ask("/api/stack/seed/local-app/load", json(wanted))).status).toBe(200);
    expect((await ask("/api/stack/seed/local-app/load", json(wanted))).status).toBe(409);

    await ask("/api/stack/reset", { method: "POST" });
    const after = await ask("/api/stack/seed/local-app");

    expect(after).toMatchObject({
      body: { contents: { users: 4, messages: 0 }, load: { isRunning: false } },
    });
    expect(await ask("/api/stack/seed/local-app")).toMatchObject({
      body: { contents: { users: 4, messages: 0 } },
    });
    for (const body of [{ users: 1.5, messages: 1 }, { users: 1, messages: 2e9 }, null])
      expect((await ask("/api/stack/seed/local-app/load", json(body))).status).toBe(400);
  });

  it("stop creating load when a snapshot is restored", async () => {
    const { platform } = under.world;
    const before = platform.snapshot();
    await ask("/api/stack/seed/local-app/load", json({ users: 500, messages: 1_000_000 }));
    const made = async () =>
      JSON.parse(JSON.stringify((await ask("/api/stack/seed/local-app")).body)).load.made.users;
    await expect.poll(made).toBe(500);

    platform.restore(before);

    const after = { contents: { users: 4, messages: 0 }, load: { isRunning: false } };
    expect(await ask("/api/stack/seed/local-app")).toMatchObject({ body: after });
    expect(await ask("/api/stack/seed/local-app")).toMatchObject({ body: after });
  });
});
