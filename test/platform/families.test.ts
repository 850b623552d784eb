import { describe, expect, it } from "vitest";
import { app, call, chat, codeOf, dataOf, type Json, manage, startAt, startPlatform } from "./helpers.ts";

describe("users", () => {
  it("are created with a lower-cased uid and a token on request", async () => {
    await startAt(1_700_000_000_000);

    const answer = await dataOf("POST /users", { uid: "Carol-1", name: "Carol", withAuthToken: true });

    expect(answer).toMatchObject({ uid: "carol-1", status: "offline", role: "default" });
    expect(answer.authToken).toMatch(/^carol-1_1700000000[0-9a-f]{32}$/);
  });

  it.each([
    ["searchKey=al", ["alice"]],
    ["searchKey=Supp&searchIn=name", ["support"]],
    ["searchKey=%25", []],
    ["perPage=2&page=2", ["helper", "support"]],
    ["roles=default&roles=x&perPage=1", ["alice"]],
    ["onlyDeactivated=true", ["zoe"]],
    ["withDeactivated=true&searchKey=z", ["zoe"]],
    ["createdAt[to]=5", []],
  ])("are listed by %s", async (query, uids) => {
    await chat("POST /users", { uid: "zoe", name: "Zoe" });
    await chat("DELETE /users", { uidsToDeactivate: ["zoe"] });

    const answer = await dataOf(`GET /users?${query}`);

    expect(answer.map(({ uid }: Json) => uid)).toEqual(uids);
  });
});

describe("auth tokens", () => {
  it("returns the newest token again unless a new one is forced", async () => {
    const path = "/users/alice/auth_tokens";

    const first = await dataOf(`POST ${path}`);
    expect((await dataOf(`POST ${path}`, { force: false })).authToken).toBe(first.authToken);
    expect((await dataOf(`POST ${path}`, { force: true })).authToken).not.toBe(first.authToken);
    const list = await chat(`GET ${path}`);
    expect(list.body.meta.pagination.total).toBe(2);
  });

  it("keeps the 100 newest active", async () => {
    for (let count = 0; count < 101; count += 1) {
      await chat("POST /users/alice/auth_tokens", { force: true });
    }

    const list = await chat("GET /users/alice/auth_tokens");

    expect(list.body.meta.pagination.total).toBe(100);
  });
});

describe("groups", () => {
  it("are created with members, each with its own result and its highest scope", async () => {
    expect(
      await dataOf("POST /groups", "alice", {
        guid: "Team",
        name: "Team",
        type: "private",
        members: { admins: ["bob"], participants: ["bob", "nobody"], usersToBan: ["support"] },
      }),
    ).toMatchObject({
      guid: "team",
      conversationId: "group_team",
      owner: "alice",
      scope: "admin",
      hasJoined: true,
      membersCount: 2,
      members: { participants: { nobody: { success: false } }, usersToBan: { support: { success: true } } },
    });
    expect(await dataOf("GET /groups/team/members")).toMatchObject([
      { uid: "alice", scope: "admin" },
      { uid: "bob", scope: "admin" },
    ]);
  });

  it("never show a password and require one where necessary", async () => {
    const body = { guid: "club", name: "Club", type: "password" };

    expect(await codeOf("POST /groups", body)).toBe("ERR_EMPTY_GROUP_PASS");
    const withOne = await chat("POST /groups", { ...body, password: "open sesame" });
    expect(JSON.stringify(withOne.body)).not.toContain("sesame");
  });

  it.each([
    ["sortBy=name&sortOrder=desc", ["team", "lobby"]],
    ["types=private,password", ["team"]],
    ["membersCount[gte]=3", ["lobby"]],
    ["guids=team,none", ["team"]],
    ["searchKey=EA", ["team"]],
  ])("are listed by %s", async (query, guids) => {
    await chat("POST /groups", "alice", { guid: "team", name: "Team", type: "private" });

    const answer = await dataOf(`GET /groups?${query}`);

    expect(answer.map(({ guid }: Json) => guid)).toEqual(guids);
  });

  it("get an action message for each added member, at most 25 a call", async () => {
    await chat("POST /users", { uid: "carol", name: "Carol" });

    expect(
      (await dataOf("POST /groups/lobby/members", { moderators: ["carol", "alice"] })).moderators,
    ).toMatchObject({
      carol: { success: true, data: { category: "action", type: "groupMember", data: { action: "added" } } },
      alice: { success: false, error: { code: "ERR_ALREADY_JOINED" } },
    });
    expect(
      await codeOf("POST /groups/lobby/members", {
        participants: Array.from({ length: 26 }, (_, index) => `u${index}`),
      }),
    ).toBe("ERR_BAD_REQUEST");
    const moderators = await dataOf("GET /groups/lobby/members?scopes=moderator,admin");
    expect(moderators.map(({ uid }: Json) => uid)).toEqual(["carol", "support"]);
  });
});

describe("moderation reasons", () => {
  it("name a missing field", async () => {
    const nameless = await chat("POST /moderation/reasons", { id: "x" });

    expect(nameless.body.error.details).toEqual({ name: expect.anything() });
  });

  it.each([
    ["fixed", "Unsolicited or repeated content."],
    ["changeable", "Ours."],
  ] as const)("accept a changed description as the switch configures: %s", async (kind, shown) => {
    await startPlatform({ switches: { reasonDescriptions: kind } });

    const changed = await dataOf("PUT /moderation/reasons/spam", { name: "Spam", description: "Ours." });
    expect(await dataOf("GET /moderation/reasons/spam")).toEqual(changed);

    expect(changed).toMatchObject({ name: "Spam", description: shown });
  });
});

describe("management", () => {
  const path = `/apps/${app.appId}/webhooks`;
  const body = { id: "w1", name: "One", webhookURL: "http://127.0.0.1:1/x" };

  it("creates an app that works immediately", async () => {
    const platform = await startPlatform();

    const { id, apiKeys } = (await manage("POST /apps", { name: "Second", region: "eu" })).data;
    const { apiKey: apikey } = Object.values<Json>(apiKeys).find(({ scope }) => scope === "fullAccess");
    const reasons = await call(platform.appUrl(id, "eu"), "GET /moderation/reasons", { headers: { apikey } });

    expect(reasons.status).toBe(200);
    expect((await manage("GET /apps?searchKey=seco")).data).toHaveLength(1);
  });

  it.each([
    [{ id: "with space" }],
    [{ id: "with-dash" }],
    [{ id: "x".repeat(51) }],
    [{ name: "x".repeat(51) }],
    [{ webhookURL: "no address" }],
    [{ webhookURL: "ftp://x" }],
    [{ webhookURL: "http:x" }],
    [{ webhookURL: "https:\\\\x" }],
    [{ webhookURL: "http://x/ " }],
    [{ webhookURL: `http://127.0.0.1/${"x".repeat(255)}` }],
    [{ password: "not alphanumeric!" }],
  ])("refuses a webhook with %o", async (change) => {
    expect((await manage(`POST ${path}`, { ...body, ...change })).code).toBe("ERR_BAD_REQUEST");
  });

  it("accepts dashes in a webhook's id if the switch allows them", async () => {
    await startPlatform({ switches: { webhookIds: "dashes" } });

    expect((await manage(`POST ${path}`, { ...body, id: "with-dash_1" })).data.id).toBe("with-dash_1");
  });

  it("allows 25 webhooks an app", async () => {
    const create = (id: string) => manage(`POST ${path}`, { ...body, id });
    for (let count = 1; count <= 25; count += 1) await create(`w${count}`);

    expect((await create("w26")).status).toBe(403);
  });

  it("deletes triggers with their webhook", async () => {
    await manage(`POST ${path}`, body);

    await manage(`POST ${path}/w1/triggers`, { triggerIds: ["message_sent", "nonsense"] });
    const listed = await manage(`GET ${path}/w1/triggers`);
    await manage(`DELETE ${path}/w1`);
    await manage(`POST ${path}`, body);
    const fresh = await manage(`GET ${path}/w1/triggers`);

    expect(listed.data).toEqual([{ id: "message_sent", description: "A message was stored." }]);
    expect(fresh.data).toEqual([]);
  });
});
