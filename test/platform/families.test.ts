import { describe, expect, it } from "vitest";
import { app, chat, manage, startAt, startPlatform } from "./helpers.ts";

describe("users", () => {
  it("creates with a lower-cased uid and a token when asked", async () => {
    await startAt(1_700_000_000_000);

    const answer = await chat("POST /users", {
      uid: "Carol-1",
      name: "Carol",
      tags: ["vip"],
      withAuthToken: true,
    });

    expect(answer.data).toMatchObject({
      uid: "carol-1",
      status: "offline",
      role: "default",
      tags: ["vip"],
    });
    expect(answer.data.authToken).toMatch(/^carol-1_1700000000[0-9a-f]{32}$/);
  });

  it("changes, unsets and shows relative to the reader", async () => {
    await chat("PUT /users/bob", { avatar: "https://example.com/b.png", name: "Bobby" });

    const changed = await chat("GET /users/bob", "alice");
    const unset = await chat("PUT /users/bob", { unset: ["avatar"] });

    expect(changed.data).toMatchObject({
      name: "Bobby",
      avatar: "https://example.com/b.png",
      conversationId: "alice_user_bob",
    });
    expect(unset.data.avatar).toBeUndefined();
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
  ])("lists by %s", async (query, uids) => {
    await chat("POST /users", { uid: "zoe", name: "Zoe" });
    await chat("DELETE /users", { uidsToDeactivate: ["zoe"] });

    const answer = await chat(`GET /users?${query}`);

    expect(answer.data.map((user: { uid: string }) => user.uid)).toEqual(uids);
  });
});

describe("auth tokens", () => {
  it("gives the newest token again unless a new one is forced", async () => {
    const path = "/users/alice/auth_tokens";

    const first = await chat(`POST ${path}`);
    const again = await chat(`POST ${path}`, { force: false });
    const forced = await chat(`POST ${path}`, { force: true });
    const list = await chat(`GET ${path}`);

    expect(again.data.authToken).toBe(first.data.authToken);
    expect(forced.data.authToken).not.toBe(first.data.authToken);
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
  it("creates with members, each with its own result and its highest scope", async () => {
    const created = await chat("POST /groups", "alice", {
      guid: "Team",
      name: "Team",
      type: "private",
      members: { admins: ["bob"], participants: ["bob", "nobody"], usersToBan: ["support"] },
    });
    const members = await chat("GET /groups/team/members");

    expect(created.data).toMatchObject({
      guid: "team",
      conversationId: "group_team",
      owner: "alice",
      scope: "admin",
      hasJoined: true,
      membersCount: 2,
      members: { participants: { nobody: { success: false } }, usersToBan: { support: { success: true } } },
    });
    expect(members.data).toMatchObject([
      { uid: "alice", scope: "admin" },
      { uid: "bob", scope: "admin" },
    ]);
  });

  it("never shows a password and asks for one where it is needed", async () => {
    const body = { guid: "club", name: "Club", type: "password" };

    const without = await chat("POST /groups", body);
    const withOne = await chat("POST /groups", { ...body, password: "open sesame" });

    expect(without.code).toBe("ERR_EMPTY_GROUP_PASS");
    expect(JSON.stringify(withOne.body)).not.toContain("sesame");
  });

  it.each([
    ["sortBy=name&sortOrder=desc", ["team", "lobby"]],
    ["types=private,password", ["team"]],
    ["membersCount[gte]=3", ["lobby"]],
    ["guids=team,none", ["team"]],
    ["searchKey=EA", ["team"]],
  ])("lists by %s", async (query, guids) => {
    await chat("POST /groups", "alice", { guid: "team", name: "Team", type: "private" });

    const answer = await chat(`GET /groups?${query}`);

    expect(answer.data.map((group: { guid: string }) => group.guid)).toEqual(guids);
  });

  it("adds members with an action message each, at most 25 a call", async () => {
    await chat("POST /users", { uid: "carol", name: "Carol" });

    const added = await chat("POST /groups/lobby/members", { moderators: ["carol", "alice"] });
    const tooMany = await chat("POST /groups/lobby/members", {
      participants: Array.from({ length: 26 }, (_, index) => `u${index}`),
    });
    const moderators = await chat("GET /groups/lobby/members?scopes=moderator,admin");

    expect(added.data.moderators).toMatchObject({
      carol: { success: true, data: { category: "action", type: "groupMember", data: { action: "added" } } },
      alice: { success: false, error: { code: "ERR_ALREADY_JOINED" } },
    });
    expect(tooMany.code).toBe("ERR_BAD_REQUEST");
    expect(moderators.data.map((member: { uid: string }) => member.uid)).toEqual(["carol", "support"]);
  });
});

describe("moderation reasons", () => {
  it("lists the built-in ones first, with timestamps as numeric strings", async () => {
    await chat("POST /moderation/reasons", { id: "mine", name: "Mine" });

    const list = await chat("GET /moderation/reasons");

    expect(list.data.map((reason: { id: string }) => reason.id)).toEqual([
      "spam",
      "sexual",
      "harassment",
      "mine",
    ]);
    expect(list.data[0]).toMatchObject({ default: true, createdAt: expect.stringMatching(/^\d{10}$/) });
    expect(list.body.meta).toEqual({ current: { limit: 10, count: 4 } });
  });

  it("refuses a missing name and a duplicate id", async () => {
    const nameless = await chat("POST /moderation/reasons", { id: "x" });
    const duplicate = await chat("POST /moderation/reasons", { id: "spam", name: "Spam" });

    expect(nameless.body.error).toMatchObject({
      code: "ERR_BAD_REQUEST",
      details: { name: expect.anything() },
    });
    expect(duplicate.status).toBe(400);
  });

  it.each([
    ["fixed", "Unsolicited or repeated content."],
    ["changeable", "Ours."],
  ] as const)("take a changed description as the switch says: %s", async (kind, shown) => {
    await startPlatform({ switches: { reasonDescriptions: kind } });

    const changed = await chat("PUT /moderation/reasons/spam", { name: "Spam", description: "Ours." });
    const read = await chat("GET /moderation/reasons/spam");

    expect(changed.data).toMatchObject({ name: "Spam", description: shown });
    expect(read.data).toEqual(changed.data);
  });
});

describe("management", () => {
  it("creates an app that works at once", async () => {
    const platform = await startPlatform();

    const created = await manage("POST /apps", { name: "Second", region: "eu" });
    const { id, apiKeys } = created.data;
    const key = Object.values<{ scope: string; apiKey: string }>(apiKeys).find(
      (one) => one.scope === "fullAccess",
    );
    const reasons = await fetch(`${platform.appUrl(id, "eu")}/moderation/reasons`, {
      headers: { apikey: key?.apiKey ?? "" },
    });

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
    const body = { id: "w1", name: "One", webhookURL: "http://127.0.0.1:1/x", ...change };

    const answer = await manage(`POST /apps/${app.appId}/webhooks`, body);

    expect([answer.status, answer.code]).toEqual([400, "ERR_BAD_REQUEST"]);
  });

  it("takes dashes in a webhook's id where the switch says so", async () => {
    await startPlatform({ switches: { webhookIds: "dashes" } });

    const body = { id: "with-dash_1", name: "One", webhookURL: "http://127.0.0.1:1/x" };
    const answer = await manage(`POST /apps/${app.appId}/webhooks`, body);

    expect(answer.data.id).toBe("with-dash_1");
  });

  it("allows 25 webhooks an app", async () => {
    const create = (id: string) =>
      manage(`POST /apps/${app.appId}/webhooks`, { id, name: id, webhookURL: "http://127.0.0.1:1/x" });
    for (let count = 1; count <= 25; count += 1) await create(`w${count}`);

    const tooMany = await create("w26");

    expect(tooMany.status).toBe(403);
  });

  it("forgets triggers with their webhook", async () => {
    const path = `/apps/${app.appId}/webhooks`;
    const body = { id: "w1", name: "One", webhookURL: "http://127.0.0.1:1/x" };
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
