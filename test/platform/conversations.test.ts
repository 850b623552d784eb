import { describe, expect, it } from "vitest";
import type { Platform } from "../../local/platform/create-platform.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { app, chat, type Json, sendText, startPlatform } from "./helpers.ts";

const unreadOf = async (platform: Platform, as: string, path = "/users/alice/conversation") =>
  (await chat(platform, `GET ${path}`, { as })).body.data?.unreadMessageCount;

describe("a conversation", () => {
  it("starts with the first message, for both sides", async () => {
    const platform = await startPlatform({ clock: createVirtualClock(1_700_000_000_000) });
    const before = await chat(platform, "GET /users/alice/conversation", { as: "bob" });
    const { id } = await sendText(platform, "Hi");

    const after = await chat(platform, "GET /users/alice/conversation", { as: "bob" });

    expect([before.status, before.body.error.code]).toEqual([404, "ERR_CONVERSATION_NOT_ACCESSIBLE"]);
    expect(after.body.data).toMatchObject({
      conversationId: "alice_user_bob",
      conversationType: "user",
      unreadMessageCount: "1",
      createdAt: 1_700_000_000,
      updatedAt: 1_700_000_000,
      lastMessage: { id, data: { text: "Hi" } },
      conversationWith: { uid: "alice", conversationId: "alice_user_bob" },
    });
    expect(await unreadOf(platform, "alice", "/users/bob/conversation")).toBe("0");
  });

  it("comes as an array when the switch says so", async () => {
    const platform = await startPlatform({ switches: { singleConversationForm: "array" } });
    await sendText(platform, "Hi");

    const answer = await chat(platform, "GET /conversations/alice_user_bob", { as: "bob" });

    expect(answer.body.data).toMatchObject([{ conversationId: "alice_user_bob" }]);
  });

  it("loses its last message when that is deleted, and the unread count with it", async () => {
    const platform = await startPlatform();
    const { id } = await sendText(platform, "Hi");

    await chat(platform, `DELETE /messages/${id}`);

    const answer = await chat(platform, "GET /users/alice/conversation", { as: "bob" });
    expect(answer.body.data.lastMessage).toBeUndefined();
    expect(answer.body.data.unreadMessageCount).toBe("0");
  });

  it("of a group starts with a membership and ends with it", async () => {
    const platform = await startPlatform();
    await chat(platform, "POST /users", { body: { uid: "carol", name: "Carol" } });
    await chat(platform, "POST /groups/lobby/members", { body: { participants: ["carol"] } });

    const joined = await chat(platform, "GET /groups/lobby/conversation", { as: "carol" });
    await chat(platform, "DELETE /groups/lobby/members/carol");
    const left = await chat(platform, "GET /groups/lobby/conversation", { as: "carol" });
    const others = await chat(platform, "GET /groups/lobby/conversation", { as: "bob" });

    expect(joined.body.data).toMatchObject({
      unreadMessageCount: "0",
      lastMessage: { category: "action", type: "groupMember", data: { action: "added" } },
      conversationWith: { guid: "lobby", scope: "participant", hasJoined: true },
    });
    expect(left.body.error.code).toBe("ERR_CONVERSATION_NOT_ACCESSIBLE");
    expect(others.body.data.lastMessage.data.action).toBe("kicked");
  });

  it("carries tags of one user, who can filter by them", async () => {
    const platform = await startPlatform();
    await sendText(platform, "Hi");

    const tagged = await chat(platform, "PUT /users/alice/conversation", {
      as: "bob",
      body: { tags: ["vip"] },
    });
    const found = await chat(platform, "GET /conversations?tags=vip,other&withTags=true", { as: "bob" });
    const without = await chat(platform, "GET /conversations?tags=other", { as: "bob" });
    const alice = await chat(platform, "GET /conversations?withTags=true", { as: "alice" });

    expect(tagged.body.data.tags).toEqual(["vip"]);
    expect(found.body.data).toMatchObject([{ tags: ["vip"] }]);
    expect(without.body.data).toEqual([]);
    expect(alice.body.data[0].tags).toBeUndefined();
  });
});

describe("conversation lists", () => {
  it("are ordered by time and filtered by type, name, unread and the tags of the other side", async () => {
    const clock = createVirtualClock();
    const platform = await startPlatform({ clock });
    await chat(platform, "PUT /users/alice", { body: { tags: ["friendly"] } });
    await chat(platform, "PUT /groups/lobby", { body: { tags: ["open"] } });
    for (const [as, receiver] of [
      ["alice", "bob"],
      ["alice", "lobby"],
      ["bob", "support"],
    ] as const) {
      await sendText(platform, "Hi", as, receiver);
      await clock.advance(1_000);
    }
    const list = async (query: string, as = "bob") => {
      const answer = await chat(platform, `GET /conversations${query}`, { as });
      return answer.body.data.map((each: Json) => each.conversationWith.uid ?? each.conversationWith.guid);
    };

    expect(await list("")).toEqual(["support", "lobby", "alice"]);
    expect(await list("?perPage=1&page=2")).toEqual(["lobby"]);
    expect(await list("?unread=true")).toEqual(["lobby", "alice"]);
    expect(await list("?conversationType=group")).toEqual(["lobby"]);
    expect(await list("?searchKey=LOB")).toEqual(["lobby"]);
    expect(await list("?searchKey=nguyen")).toEqual(["alice"]);
    expect(await list("?userTags=friendly")).toEqual(["alice"]);
    expect(await list("?userTags=friendly&groupTags=open")).toEqual(["lobby", "alice"]);
    const all = await chat(platform, "GET /conversations?perPage=2");
    expect(all.body.meta.pagination).toMatchObject({ total: 7, count: 2, total_pages: 4 });
    const tagged = await chat(platform, "GET /conversations?withUserAndGroupTags=true&userTags=friendly", {
      as: "bob",
    });
    expect(tagged.body.data[0].conversationWith.tags).toEqual(["friendly"]);
  });
});

describe("deleting a conversation", () => {
  it("hides it for one user until the next message", async () => {
    const platform = await startPlatform();
    await sendText(platform, "old");

    const answer = await chat(platform, "DELETE /users/alice/conversation", { as: "bob" });
    const hidden = await chat(platform, "GET /conversations", { as: "bob" });
    const alice = await chat(platform, "GET /conversations", { as: "alice" });
    await sendText(platform, "new");
    const texts = async (path: string) =>
      (await chat(platform, path, { as: "bob" })).body.data.map((message: Json) => message.data.text);

    expect(answer.body.data.message).toBe(
      "The conversation alice_user_bob has been deleted successfully for UID bob.",
    );
    expect([hidden.body.data.length, alice.body.data.length]).toEqual([0, 1]);
    expect(await texts("GET /users/alice/messages")).toEqual(["new"]);
    expect(await texts("GET /messages")).toEqual(["new"]);
    expect(await unreadOf(platform, "bob")).toBe("1");
  });

  it("keeps its place when asked, without a last message", async () => {
    const platform = await startPlatform();
    await sendText(platform, "old");

    await chat(platform, "DELETE /users/alice/conversation", { as: "bob", body: { preserveOrder: true } });

    const list = await chat(platform, "GET /conversations", { as: "bob" });
    expect(list.body.data).toMatchObject([{ conversationId: "alice_user_bob", unreadMessageCount: "0" }]);
    expect(list.body.data[0].lastMessage).toBeUndefined();
  });

  it("removes the messages for both when asked", async () => {
    const platform = await startPlatform();
    const { id } = await sendText(platform, "gone");

    await chat(platform, "DELETE /users/bob/conversation", {
      as: "alice",
      body: { deleteMessagesPermanently: true },
    });

    expect((await chat(platform, `GET /messages/${id}`)).status).toBe(404);
    expect(await unreadOf(platform, "bob")).toBe("0");
  });

  it("by id hides it for all", async () => {
    const platform = await startPlatform();
    await sendText(platform, "Hi");

    const answer = await chat(platform, "DELETE /conversations/alice_user_bob", { as: "alice" });

    const bob = await chat(platform, "GET /conversations", { as: "bob" });
    expect(answer.body.data.message).toBe(
      "The conversation alice_user_bob has been deleted successfully for all the users.",
    );
    expect(bob.body.data).toEqual([]);
  });
});

describe("pinned conversations", () => {
  it("of a user keep the first time, end at 5 and are shown in the list", async () => {
    const clock = createVirtualClock(1_700_000_000_000);
    const platform = await startPlatform({ clock });
    for (let number = 1; number <= 6; number += 1) {
      await chat(platform, "POST /users", { body: { uid: `u${number}`, name: `U${number}` } });
      await sendText(platform, "Hi", "alice", `u${number}`);
    }
    const pin = async (uid: string) =>
      await chat(platform, `POST /users/${uid}/conversation/pin`, { as: "alice" });

    const first = await pin("u1");
    await clock.advance(5_000);
    const again = await pin("u1");
    for (const uid of ["u2", "u3", "u4", "u5"]) await pin(uid);
    const refused = await pin("u6");
    const list = await chat(platform, "GET /conversations?searchKey=u1", { as: "alice" });
    const unpinned = await chat(platform, "DELETE /users/u1/conversation/pin", { as: "alice" });
    const fits = await pin("u6");

    expect(first.body.data).toEqual({
      conversationId: "alice_user_u1",
      conversationType: "user",
      pinnedBy: "alice",
      pinnedAt: 1_700_000_000,
    });
    expect(again.body.data.pinnedAt).toBe(1_700_000_000);
    expect([refused.status, refused.body.error.code]).toEqual([
      400,
      "ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED",
    ]);
    expect(list.body.data[0]).toMatchObject({ pinnedBy: "alice", pinnedAt: 1_700_000_000 });
    expect(unpinned.body.data).toEqual({ conversationId: "alice_user_u1", conversationType: "user" });
    expect(fits.status).toBe(200);
  });

  it("of the app are replaced as a whole and out of the users' hands", async () => {
    const clock = createVirtualClock(1_700_000_000_000);
    const platform = await startPlatform({ clock });
    await sendText(platform, "Hi");
    await chat(platform, "PUT /conversations/pinned", { body: { pinnedConversations: [{ guid: "lobby" }] } });
    await clock.advance(5_000);

    const replaced = await chat(platform, "PUT /conversations/pinned", {
      body: { pinnedConversations: [{ uid: "bob" }, { guid: "lobby" }, { uid: "bob" }] },
    });
    const listed = await chat(platform, "GET /conversations/pinned");
    const refused = await chat(platform, "POST /users/bob/conversation/pin", { as: "alice" });
    const shown = await chat(platform, "GET /users/bob/conversation", { as: "alice" });
    const cleared = await chat(platform, "PUT /conversations/pinned", { body: { pinnedConversations: [] } });

    expect(replaced.body.data).toMatchObject([
      { conversationType: "user", pinnedBy: "app_system", pinnedAt: 1_700_000_005 },
      { conversationId: "group_lobby", pinnedAt: 1_700_000_000 },
    ]);
    expect(listed.body.data).toEqual(replaced.body.data);
    expect([refused.status, refused.body.error.code]).toEqual([403, "ERR_SYSTEM_PINNED_CONVERSATION"]);
    expect(shown.body.data.pinnedBy).toBe("app_system");
    expect(cleared.body.data).toEqual([]);
  });

  it.each([
    ["ERR_BAD_REQUEST", {}],
    ["ERR_BAD_REQUEST", { pinnedConversations: [{}] }],
    ["ERR_UID_NOT_FOUND", { pinnedConversations: [{ uid: "nobody" }] }],
    ["ERR_GUID_NOT_FOUND", { pinnedConversations: [{ guid: "nowhere" }] }],
    [
      "ERR_SYSTEM_PINNED_CONVERSATIONS_LIMIT_EXCEEDED",
      { pinnedConversations: ["g1", "g2", "g3", "g4", "g5", "g6"].map((guid) => ({ guid })) },
    ],
  ])("of the app are refused with %s", async (code, body) => {
    const platform = await startPlatform();
    for (let number = 1; number <= 6; number += 1) {
      await chat(platform, "POST /groups", { body: { guid: `g${number}`, name: "G", type: "public" } });
    }

    const answer = await chat(platform, "PUT /conversations/pinned", { body });

    expect([answer.status >= 400, answer.body.error?.code]).toEqual([true, code]);
  });
});

describe("operations of a conversation", () => {
  const lines = ["users/alice", "groups/lobby"].flatMap((peer) =>
    [
      "GET /conversation",
      "PUT /conversation",
      "DELETE /conversation",
      "POST /conversation/pin",
      "DELETE /conversation/pin",
      "POST /conversation/delivered",
      "POST /conversation/read",
      "DELETE /conversation/read",
    ].map((line) => line.replace(" ", ` /${peer}`)),
  );

  it.each(lines)("refuse strangers, nobody and missing peers: %s", async (line) => {
    const platform = await startPlatform();
    await chat(platform, "POST /users", { body: { uid: "carol", name: "Carol" } });
    await sendText(platform, "Hi");
    await sendText(platform, "Hi", "alice", "lobby");

    const body = line.startsWith("PUT ") ? { tags: ["vip"] } : undefined;
    const member = await chat(platform, line, { as: "bob", body });
    const stranger = await chat(platform, line, { as: "carol", body });
    const nobody = await chat(platform, line, { body });
    const missing = await chat(platform, line.replace(/alice|lobby/, "missing"), { as: "bob", body });
    const weak = await chat(platform, line, { as: "bob", key: app.authOnlyKey, body });

    expect(member.status).toBe(200);
    expect(stranger.body.error.code).toBe("ERR_CONVERSATION_NOT_ACCESSIBLE");
    expect(nobody.body.error.code).toBe("ERR_BAD_REQUEST");
    expect(missing.body.error.code).toMatch(/^ERR_(UID|GUID)_NOT_FOUND$/);
    expect(weak.body.error.code).toBe("AUTH_ERR_NO_ACCESS");
  });

  it.each(["GET /conversations/x_user_y", "DELETE /conversations/x_user_y"])(
    "refuse an unknown id: %s",
    async (line) => {
      const platform = await startPlatform();

      const answer = await chat(platform, line, { as: "bob" });

      expect(answer.body.error.code).toBe("ERR_CONVERSATION_NOT_FOUND");
    },
  );
});
