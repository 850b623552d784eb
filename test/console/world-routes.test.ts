import { describe, expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { useConsole } from "../helpers/use-console.ts";

const under = useConsole();
const { at, ask } = under;
const [app] = defaultSeed.apps;

const json = (body: unknown, method = "POST") => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

describe("the World view's routes", () => {
  it("show no key, token, password or management secret in what they answer", async () => {
    await ask("/api/world/tokens/local-app/alice", { method: "POST" });
    await ask("/api/world/keys/local-app", json({ name: "Job", scope: "authOnly" }));

    const told = await Promise.all(
      ["keys/local-app", "tokens/local-app/alice", "webhooks/local-app"].map((path) =>
        ask(`/api/world/${path}`),
      ),
    );

    const text = JSON.stringify(told);
    const secrets = [
      app.fullAccessKey,
      app.authOnlyKey,
      defaultSeed.management.secret,
      under.world.webhook.password,
    ];
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/[0-9a-f]{40}|alice_\d{10}/);
  });

  it("give a value by a request of its own, which no other site's page can make", async () => {
    const { body } = await ask("/api/world/keys/local-app");
    const id = JSON.parse(JSON.stringify(body)).keys.find(
      (key: { isConsoles: boolean }) => key.isConsoles,
    ).id;
    const path = `/api/world/keys/local-app/${id}/copy`;

    expect(await ask(path, { method: "POST" })).toEqual({ status: 200, body: { value: app.fullAccessKey } });
    const foreign = await fetch(at(path), { method: "POST", headers: { origin: "http://evil.example" } });
    expect(foreign.status).toBe(403);
    expect((await ask(path)).status).toBe(404);
  });

  it("refuse ids and names that they do not know, and keep the key that the console asks with", async () => {
    const { body } = await ask("/api/world/keys/local-app");
    const own = JSON.parse(JSON.stringify(body)).keys.find(
      (key: { isConsoles: boolean }) => key.isConsoles,
    ).id;

    expect(await ask(`/api/world/keys/local-app/${own}`, { method: "DELETE" })).toMatchObject({
      body: { error: { code: "ERR_APIKEY_NO_SELF_ACTION" } },
    });
    expect((await ask("/api/world/keys/local-app/none", { method: "DELETE" })).status).toBe(404);
    expect((await ask("/api/world/keys/no-app", json({ name: "x", scope: "authOnly" }))).status).toBe(404);
    expect((await ask("/api/world/management/password/copy", { method: "POST" })).status).toBe(404);
    expect((await ask("/api/world/webhooks/no-app")).status).toBe(404);
  });

  it("tell what keeps events from the functions, and put it right", async () => {
    const call = (path: string, body: unknown, method: string) =>
      fetch(at(`/api/management/apps/local-app/webhooks/functions${path}`), {
        ...json(body, method),
        headers: { "content-type": "application/json", "x-webhook-version": "2" },
      });
    await call("", { webhookURL: "http://127.0.0.1:9/", username: "somebody" }, "PUT");
    await ask("/api/platform/apps/local-app/engine", json({ engine: "legacy" }, "PUT"));

    const broken = await ask("/api/world/webhooks/local-app");
    await ask("/api/world/reconnect", { method: "POST" });

    expect(broken).toMatchObject({
      body: { engine: "legacy", functions: { problems: [{}, {}, {}].map(() => expect.any(String)) } },
    });
    expect(await ask("/api/world/webhooks/local-app")).toMatchObject({
      body: { engine: "current", functions: { problems: [] } },
    });
  });

  it("judge a text without writing it", async () => {
    const rule = {
      name: "No figs",
      conditions: [
        { category: "word", operand: "text", operator: "contains", value: ["fig"], message: ["Figs."] },
      ],
    };
    await ask("/api/chat/local-app/moderation/rules", json(rule));
    const judge = (text: string, receiver = "bob") =>
      ask(
        "/api/world/moderation/local-app/try",
        json({ text, sender: "alice", receiver, receiverType: "user" }),
      );

    expect(await judge("a fig")).toMatchObject({
      body: { outcome: "blocked", rule: { id: "no-figs", message: "Figs." } },
    });
    expect(await judge("a date")).toMatchObject({ body: { outcome: "approved" } });
    expect(await judge("a fig", "nobody")).toMatchObject({ status: 400 });
    expect(await ask("/api/world/moderation/local-app/try", json([1]))).toMatchObject({ status: 400 });
    expect(await ask("/api/world/seed/local-app")).toMatchObject({ body: { messages: 0 } });
  });
});
