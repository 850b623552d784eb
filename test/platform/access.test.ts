import { describe, expect, it } from "vitest";
import { appRoutes, managementRoutes } from "../../local/platform/routes.ts";
import { app, call, chat, chatWith, codeOf, dataOf, getAs, manageWith, startPlatform } from "./helpers.ts";

describe("addresses", () => {
  it("answer under the platform's own host names too", async () => {
    const platform = await startPlatform();

    const users = await getAs(platform, "local-app.api-us.cometchat.io", "/v3/users/alice", {
      apikey: app.fullAccessKey,
    });
    const apps = await getAs(platform, "apimgmt.cometchat.io", "/apps", {
      key: "local-management-key-not-secret",
      secret: "local-management-secret-not-secret",
    });

    expect(users.json.data.name).toBe("Alice Nguyen");
    expect(apps.json.data[0].id).toBe("local-app");
  });

  it.each([
    ["an unknown app", "/nobody.api-us/v3/users", 404, "AUTH_ERR_INVALID_APPID"],
    ["another region", "/local-app.api-eu/v3/users", 404, "AUTH_ERR_INVALID_APPID"],
    ["another version", "/local-app.api-us/v9/users", 404, "ERR_INVALID_API_VERSION"],
    ["an unknown path", "/local-app.api-us/v3/nothing", 404, "ERR_API_NOT_FOUND"],
    ["the calls host for a chat path", "/local-app.call-us/v3/users", 404, "ERR_API_NOT_FOUND"],
    ["no app at all", "/v3/users", 404, "ERR_API_NOT_FOUND"],
  ])("refuse %s", async (_case, path, status, code) => {
    const platform = await startPlatform();

    const answer = await call(platform.url, `GET ${path}`, { headers: { apikey: app.fullAccessKey } });

    expect([answer.status, answer.code]).toEqual([status, code]);
  });

  it("answer an app's key on the management host with 404", async () => {
    const platform = await startPlatform();
    const headersOf = { app: { apikey: app.fullAccessKey }, none: {} };

    const [ofApp, ofNone] = await Promise.all(
      Object.values(headersOf).map((headers) => call(platform.managementUrl, "GET /apps", { headers })),
    );

    expect([ofApp?.status, ofNone?.status]).toEqual([404, 401]);
  });

  it("report the certainty of each answer", async () => {
    const known = await chat("GET /users");
    const refused = await chatWith("GET /users", { key: "wrong" });

    expect(known.headers.get("x-platform-fidelity")).toBe("documented");
    expect(refused.headers.get("x-platform-fidelity")).toBe("live");
  });
});

describe("keys", () => {
  it("repeat an unknown key in the refusal, as observed live", async () => {
    const answer = await chatWith("GET /users", { key: "unknown-key" });

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: {
        message: "The key unknown-key does not exist. Please use correct apiKey.",
        devMessage: "The unknown-key key doesn't work. Please use correct apiKey.",
        source: "chat-api",
        code: "AUTH_ERR_APIKEY_NOT_FOUND",
      },
    });
  });

  it("are required for a call", async () => {
    const answer = await chatWith("GET /users", { key: "" });

    expect(answer.code).toBe("AUTH_ERR_EMPTY_APIKEY");
  });

  it("of scope authOnly are refused for every other operation", async () => {
    const platform = await startPlatform();
    const opened: string[] = [];
    for (const { operationId, method, path, surface } of appRoutes) {
      const base = platform.appUrl(app.appId, app.region, surface === "calls" ? "call" : "api");
      const line = `${method} ${path.replaceAll(/\{\w+\}/g, "x")}`;
      const { status, body } = await call(base, line, { headers: { apikey: app.authOnlyKey } });
      const { code, message = "" } = body.error ?? {};
      const isRefused = status === 403 && code === "AUTH_ERR_NO_ACCESS" && message.includes(app.authOnlyKey);
      if (!isRefused) opened.push(operationId);
    }

    expect(opened).toEqual(["create-user", "create-authtoken"]);
  });

  it("are rotated only with another key", async () => {
    const created = await dataOf("POST /apikeys", { name: "Next", scope: "fullAccess" });
    const next = created.apiKey;

    const self = await chatWith(`DELETE /apikeys/${next}`, { key: next });
    const old = await chatWith(`DELETE /apikeys/${app.fullAccessKey}`, { key: next });
    const after = await chat("GET /users");

    expect(next).toMatch(/^[0-9a-f]{40}$/);
    expect(self.code).toBe("ERR_APIKEY_NO_SELF_ACTION");
    expect(old.data.success).toBe(true);
    expect(after.status).toBe(401);
  });

  it("are renamed, found and limited in number", async () => {
    const path = `/apikeys/${app.authOnlyKey}`;
    await chat(`PUT ${path}`, { name: "Renamed" });

    expect(await dataOf("GET /apikeys?searchKey=renam")).toMatchObject([
      { apiKey: app.authOnlyKey, name: "Renamed", scope: "authOnly" },
    ]);
    for (let count = 2; count < 25; count += 1) {
      await chat("POST /apikeys", { name: `k${count}`, scope: "authOnly" });
    }
    const tooMany = await chat("POST /apikeys", { name: "k26", scope: "authOnly" });
    expect(tooMany.status).toBe(403);
    expect(await codeOf("GET /apikeys/none")).toBe("ERR_APIKEY_NOT_FOUND");
  });

  it("of management must have the right secret for every operation", async () => {
    expect((await manageWith("GET /apps", { headers: { key: "", secret: "" } })).status).toBe(401);
    for (const { method, path } of managementRoutes) {
      const line = `${method} ${path.replaceAll(/\{\w+\}/g, "x")}`;
      expect((await manageWith(line, { headers: { secret: "wrong" } })).status).toBe(401);
    }
  });
});
