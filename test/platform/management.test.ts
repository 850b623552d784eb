import { describe, expect, it } from "vitest";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import type { Switches } from "../../local/platform/services/switches.ts";
import {
  app,
  call,
  chat,
  type Json,
  manage,
  manageForm,
  manageWith,
  startAt,
  startPlatform,
} from "./helpers.ts";

const base = `/apps/${app.appId}`;
const tenant = { name: "T", email: "t@example.com", password: "p", appName: "Shop", appRegion: "eu" };

describe("apps", () => {
  it("are scheduled for deletion once and stay usable", async () => {
    const clock = await startAt(1_700_000_000_000);

    const first = await manage(`DELETE ${base}`);
    await clock.advance(60_000);
    const again = await manage(`DELETE ${base}`);

    expect(first.data).toEqual({ success: true, scheduledToDeleteAt: 1_700_000_000 + 30 * 86_400 });
    expect(again.body).toEqual(first.body);
    expect((await chat("GET /users")).status).toBe(200);
  });

  it("are created with a new tenant, and their keys work", async () => {
    const platform = await startPlatform();

    const answer = await call(platform.managementUrl, "POST /tenants", { body: tenant, headers: basic() });
    const again = await manageWith("POST /tenants", { body: tenant, headers: basic() });

    const created = answer.data.app;
    const headers = { apikey: created.apiKey };
    const roles = await call(platform.appUrl(created.appId, "eu"), "GET /roles", { headers });
    expect(created).toMatchObject({ name: "Shop", region: "eu", plan: "Build" });
    expect(JSON.stringify(answer.body)).not.toContain("password");
    expect(roles.status).toBe(200);
    expect(again.code).toBe("ERR_BAD_REQUEST");
  });
});

describe("a new tenant", () => {
  it.each([
    ["no credentials", {}, "AUTH_ERR_EMPTY_AUTH_HEADER"],
    ["only the headers", { ...defaultSeed.management }, "AUTH_ERR_EMPTY_AUTH_HEADER"],
    ["another scheme", { authorization: "Bearer abc" }, "AUTH_ERR_EMPTY_AUTH_HEADER"],
    ["an empty password", basic(""), "AUTH_ERR_EMPTY_AUTH_HEADER"],
    ["a wrong password", basic("wrong"), "AUTH_ERR_APIKEY_NOT_FOUND"],
  ])("is refused with %s", async (_name, headers, code) => {
    const platform = await startPlatform();

    const answer = await call(platform.managementUrl, "POST /tenants", { body: tenant, headers });

    expect(answer.code).toBe(code);
  });
});

function basic(password: string = defaultSeed.management.secret): Record<string, string> {
  return { authorization: `Basic ${btoa(`${defaultSeed.management.key}:${password}`)}` };
}

it("an unknown app setting is refused without the others", async () => {
  const { data } = await manage(`POST ${base}/settings`, { settings: { "core.nonsense": true } });

  expect(data["core.nonsense"].success).toBe(false);
});

describe("the team", () => {
  it("is changed in one call, empty groups as arrays", async () => {
    const added = await manage(`POST ${base}/collaborators`, {
      admins: ["a@example.com"],
      moderators: ["m@example.com"],
    });
    const changed = await manage(`POST ${base}/collaborators`, {
      admins: ["m@example.com"],
      collaboratorsToRemove: ["a@example.com", "x@example.com"],
    });
    const list = await manage(`GET ${base}/collaborators`);

    expect(added.data).toEqual({
      admins: { "a@example.com": { success: true } },
      developers: [],
      moderators: { "m@example.com": { success: true } },
      collaboratorsToRemove: [],
    });
    expect(changed.data.collaboratorsToRemove["x@example.com"].error.code).toBe("ERR_NOT_A_COLLABORATOR");
    const owner = await manage(`POST ${base}/collaborators`, { admins: ["owner@example.com"] });
    expect(owner.data.admins["owner@example.com"].error.code).toBe("ERR_ALREADY_AN_OWNER");
    const self = await manage(`POST ${base}/collaborators`, { collaboratorsToRemove: ["owner@example.com"] });
    expect(Object.values<Json>(self.data.collaboratorsToRemove)[0].error.code).toBe("ERR_SELF_ACTION_DENIED");
    expect(list.data).toMatchObject([{ id: "2", name: "m", email: "m@example.com", role: "admin" }]);
  });
});

describe("extensions", () => {
  it("are enabled and disabled, and listed 25 at a time", async () => {
    const switched = await manage(`POST ${base}/extensions`, { enabled: ["polls", "flying"] });
    const page = await manage(`GET ${base}/extensions`);
    const on = await manage(`GET ${base}/extensions?perPage=1000`);
    await manage(`POST ${base}/extensions`, { disabled: ["polls"] });
    const off = await manage(`GET ${base}/extensions?perPage=1000`);

    const active = (answer: Json) =>
      answer.body.data.filter((item: Json) => item.isActive).map((item: Json) => item.id);
    expect(switched.data.enabled.polls.message).toBe("The extension polls has been enabled successfully.");
    expect(switched.data.enabled.flying.error.code).toBe("ERR_EXTENSION_NOT_FOUND");
    expect(page.body.meta.pagination).toMatchObject({ total: 45, count: 25, per_page: 25, total_pages: 2 });
    expect([active(on), active(off)]).toEqual([["polls"], []]);
  });

  it("keep several widgets", async () => {
    const path = `${base}/extensions/widget/v2/settings`;

    const stored = await manage(`POST ${path}`, { settings: { name: "W", version: "v2" } });
    const { widgetId } = stored.data.body.data;
    await manage(`PUT ${path}`, { settings: { name: "W2", version: "v2", widgetId } });
    const unknown = await manage(`PUT ${path}`, { settings: { name: "W", version: "v2", widgetId: "none" } });

    expect((await manage(`GET ${path}`)).data.body.data).toEqual([
      { configuration: { name: "W2", version: "v2", appId: app.appId }, widgetId },
    ]);
    expect(unknown.code).toBe("ERR_EXTENSION_NOT_FOUND");
  });
});

describe("data masking", () => {
  it("removes the expressions that a write names", async () => {
    const path = `${base}/extensions/data-masking/v1/settings`;
    const own = ["a", "b"].map((id) => ({ id, name: id, regex: id }));
    const settings = {
      dropMessage: true,
      defaultRegexData: [],
      customregexData: own,
      deleteCustomRegexData: [],
    };
    await manage(`PUT ${path}`, { settings });

    await manage(`PUT ${path}`, { settings: { ...settings, deleteCustomRegexData: ["a"] } });

    const read = await manage(`GET ${path}`);
    const shown = read.data.body.data.settings;
    expect(shown.customregexData).toEqual([own[1]]);
    expect(shown).not.toHaveProperty("deleteCustomRegexData");
  });
});

it("a certificate of push notifications is sent as a file", async () => {
  const path = `${base}/extensions/push-notification/v1/upload-certificate-p12`;
  const text = new FormData();
  text.set("certificate", "bytes");

  const answers = [await manageForm(path, text), await manage(`POST ${path}`, { certificate: "bytes" })];

  expect(answers.map(({ code }) => code)).toEqual(["ERR_BAD_REQUEST", "ERR_BAD_REQUEST"]);
});

describe("management operations", () => {
  const tenor = `POST ${base}/extensions/gifs-tenor/v1/settings`;

  it.each<[string, string, Json, Partial<Switches>]>([
    ["ERR_BAD_REQUEST", `POST ${base}/collaborators`, { admins: ["nobody"] }, {}],
    ["ERR_APP_NOT_FOUND", "GET /apps/none/settings", undefined, {}],
    ["ERR_APP_DELETION", `DELETE ${base}`, undefined, { plan: "free" }],
    ["ERR_APP_CREATION_FAILED_MAX_LIMIT", "POST /apps", { name: "B", region: "us" }, { maxApps: 1 }],
    ["ERR_EXTENSION_INACTIVE", tenor, { settings: { tenorApiKey: "k" } }, { inactiveExtensions: "refuse" }],
  ])("refuse with %s: %s", async (code, line, body, switches) => {
    await startPlatform({ switches });

    expect((await manage(line, body)).code).toBe(code);
  });

  it("accept the settings of an enabled extension, where others are refused", async () => {
    await startPlatform({ switches: { inactiveExtensions: "refuse" } });
    await manage(`POST ${base}/extensions`, { enabled: ["gifs-tenor"] });

    expect((await manage(tenor, { settings: { tenorApiKey: "k" } })).status).toBe(200);
  });
});

it.each([
  ["merge", { enabled: true, useBasicAuth: true, username: "u" }],
  ["replace", { enabled: false, useBasicAuth: false }],
] as const)("a change of a webhook resets omitted fields with: %s", async (webhookChanges, kept) => {
  await startPlatform({
    switches: { webhookChanges, webhookSettingsEchoed: true, webhookEnabledByDefault: false },
  });
  const webhook = { id: "one", name: "One", webhookURL: "https://one.example/", enabled: true };
  await manage(`POST ${base}/webhooks`, { ...webhook, useBasicAuth: true, username: "u", password: "p" });

  const changed = await manage(`PUT ${base}/webhooks/one`, { name: "Two" });

  expect(changed.data).toMatchObject({ name: "Two", ...kept });
});
