import { describe, expect, it } from "vitest";
import { chat, type Json, sendText, startAt, startPlatform } from "./helpers.ts";

const unreadOf = async (as: string, path = "/users/alice/conversation") =>
  (await chat(`GET ${path}`, as)).data?.unreadMessageCount;

describe("a conversation", () => {
  it("starts with the first message, for both sides", async () => {
    await startAt(1_700_000_000_000);
    const before = await chat("GET /users/alice/conversation", "bob");
    const { id } = await sendText("Hi");

    const after = await chat("GET /users/alice/conversation", "bob");

    expect([before.status, before.code]).toEqual([404, "ERR_CONVERSATION_NOT_ACCESSIBLE"]);
    expect(after.data).toMatchObject({
      conversationId: "alice_user_bob",
      conversationType: "user",
      unreadMessageCount: "1",
      createdAt: 1_700_000_000,
      updatedAt: 1_700_000_000,
      lastMessage: { id, data: { text: "Hi" } },
      conversationWith: { uid: "alice", conversationId: "alice_user_bob" },
    });
    expect(await unreadOf("alice", "/users/bob/conversation")).toBe("0");
  });

  it("comes as an array when the switch says so", async () => {
    await startPlatform({ switches: { singleConversationForm: "array" } });
    await sendText("Hi");

    const answer = await chat("GET /conversations/alice_user_bob", "bob");

    expect(answer.data).toMatchObject([{ conversationId: "alice_user_bob" }]);
  });

  it("loses its last message when that is deleted, and the unread count with it", async () => {
    const { id } = await sendText("Hi");

    await chat(`DELETE /messages/${id}`);

    const answer = await chat("GET /users/alice/conversation", "bob");
    expect(answer.data.lastMessage).toBeUndefined();
    expect(answer.data.unreadMessageCount).toBe("0");
  });

  it("of a group starts with a membership and ends with it", async () => {
    await chat("POST /users", { uid: "carol", name: "Carol" });
    await chat("POST /groups/lobby/members", { participants: ["carol"] });

    const joined = await chat("GET /groups/lobby/conversation", "carol");
    await chat("DELETE /groups/lobby/members/carol");
    const left = await chat("GET /groups/lobby/conversation", "carol");
    const others = await chat("GET /groups/lobby/conversation", "bob");

    expect(joined.data).toMatchObject({
      unreadMessageCount: "0",
      lastMessage: { category: "action", type: "groupMember", data: { action: "added" } },
      conversationWith: { guid: "lobby", scope: "participant", hasJoined: true },
    });
    expect(left.code).toBe("ERR_CONVERSATION_NOT_ACCESSIBLE");
    expect(others.data.lastMessage.data.action).toBe("kicked");
  });

  it("carries tags of one user, who can filter by them", async () => {
    await sendText("Hi");

    const tagged = await chat("PUT /users/alice/conversation", "bob", { tags: ["vip"] });
    const found = await chat("GET /conversations?tags=vip,other&withTags=true", "bob");
    const without = await chat("GET /conversations?tags=other", "bob");
    const alice = await chat("GET /conversations?withTags=true", "alice");

    expect(tagged.data.tags).toEqual(["vip"]);
    expect(found.data).toMatchObject([{ tags: ["vip"] }]);
    expect(without.data).toEqual([]);
    expect(alice.data[0].tags).toBeUndefined();
  });
});

describe("conversation lists", () => {
  it("are ordered by time and filtered by type, name, unread and the tags of the other side", async () => {
    const clock = await startAt();
    await chat("PUT /users/alice", { tags: ["friendly"] });
    await chat("PUT /groups/lobby", { tags: ["open"] });
    for (const [as, receiver] of [
      ["alice", "bob"],
      ["alice", "lobby"],
      ["bob", "support"],
    ] as const) {
      await sendText("Hi", as, receiver);
      await clock.advance(1_000);
    }
    const list = async (query: string, as = "bob") => {
      const answer = await chat(`GET /conversations${query}`, as);
      return answer.data.map((each: Json) => each.conversationWith.uid ?? each.conversationWith.guid);
    };

    expect(await list("")).toEqual(["support", "lobby", "alice"]);
    expect(await list("?perPage=1&page=2")).toEqual(["lobby"]);
    expect(await list("?unread=true")).toEqual(["lobby", "alice"]);
    expect(await list("?conversationType=group")).toEqual(["lobby"]);
    expect(await list("?searchKey=LOB")).toEqual(["lobby"]);
    expect(await list("?searchKey=nguyen")).toEqual(["alice"]);
    expect(await list("?userTags=friendly")).toEqual(["alice"]);
    expect(await list("?userTags=friendly&groupTags=open")).toEqual(["lobby", "alice"]);
    const all = await chat("GET /conversations?perPage=2");
    expect(all.body.meta.pagination).toMatchObject({ total: 7, count: 2, total_pages: 4 });
    const tagged = await chat("GET /conversations?withUserAndGroupTags=true&userTags=friendly", "bob");
    expect(tagged.data[0].conversationWith.tags).toEqual(["friendly"]);
  });
});

describe("deleting a conversation", () => {
  it("hides it for one user until the next message", async () => {
    await sendText("old");

    const answer = await chat("DELETE /users/alice/conversation", "bob");
    const hidden = await chat("GET /conversations", "bob");
    const alice = await chat("GET /conversations", "alice");
    await sendText("new");
    const texts = async (path: string) =>
      (await chat(path, "bob")).data.map((message: Json) => message.data.text);

    expect(answer.data.message).toBe(
      "The conversation alice_user_bob has been deleted successfully for UID bob.",
    );
    expect([hidden.data.length, alice.data.length]).toEqual([0, 1]);
    expect(await texts("GET /users/alice/messages")).toEqual(["new"]);
    expect(await texts("GET /messages")).toEqual(["new"]);
    expect(await unreadOf("bob")).toBe("1");
  });

  it("keeps its place when asked, without a last message", async () => {
    await sendText("old");

    await chat("DELETE /users/alice/conversation", "bob", { preserveOrder: true });

    const list = await chat("GET /conversations", "bob");
    expect(list.data).toMatchObject([{ conversationId: "alice_user_bob", unreadMessageCount: "0" }]);
    expect(list.data[0].lastMessage).toBeUndefined();
  });

  it("removes the messages for both when asked", async () => {
    const { id } = await sendText("gone");

    await chat("DELETE /users/bob/conversation", "alice", { deleteMessagesPermanently: true });

    expect((await chat(`GET /messages/${id}`)).status).toBe(404);
    expect(await unreadOf("bob")).toBe("0");
  });

  it("by id hides it for all", async () => {
    await sendText("Hi");

    const answer = await chat("DELETE /conversations/alice_user_bob", "alice");

    const bob = await chat("GET /conversations", "bob");
    expect(answer.data.message).toBe(
      "The conversation alice_user_bob has been deleted successfully for all the users.",
    );
    expect(bob.data).toEqual([]);
  });
});

describe("pinned conversations", () => {
  it("of a user keep the first time, end at 5 and are shown in the list", async () => {
    const clock = await startAt(1_700_000_000_000);
    for (let number = 1; number <= 6; number += 1) {
      await chat("POST /users", { uid: `u${number}`, name: `U${number}` });
      await sendText("Hi", "alice", `u${number}`);
    }
    const pin = async (uid: string) => await chat(`POST /users/${uid}/conversation/pin`, "alice");

    const first = await pin("u1");
    await clock.advance(5_000);
    const again = await pin("u1");
    for (const uid of ["u2", "u3", "u4", "u5"]) await pin(uid);
    const refused = await pin("u6");
    const list = await chat("GET /conversations?searchKey=u1", "alice");
    const unpinned = await chat("DELETE /users/u1/conversation/pin", "alice");
    const fits = await pin("u6");

    expect(first.data).toEqual({
      conversationId: "alice_user_u1",
      conversationType: "user",
      pinnedBy: "alice",
      pinnedAt: 1_700_000_000,
    });
    expect(again.data.pinnedAt).toBe(1_700_000_000);
    expect([refused.status, refused.code]).toEqual([400, "ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED"]);
    expect(list.data[0]).toMatchObject({ pinnedBy: "alice", pinnedAt: 1_700_000_000 });
    expect(unpinned.data).toEqual({ conversationId: "alice_user_u1", conversationType: "user" });
    expect(fits.status).toBe(200);
  });

  it("of the app are replaced as a whole and out of the users' hands", async () => {
    const clock = await startAt(1_700_000_000_000);
    await sendText("Hi");
    await chat("PUT /conversations/pinned", { pinnedConversations: [{ guid: "lobby" }] });
    await clock.advance(5_000);

    const replaced = await chat("PUT /conversations/pinned", {
      pinnedConversations: [{ uid: "bob" }, { guid: "lobby" }, { uid: "bob" }],
    });
    const listed = await chat("GET /conversations/pinned");
    const refused = await chat("POST /users/bob/conversation/pin", "alice");
    const shown = await chat("GET /users/bob/conversation", "alice");
    const cleared = await chat("PUT /conversations/pinned", { pinnedConversations: [] });

    expect(replaced.data).toMatchObject([
      { conversationType: "user", pinnedBy: "app_system", pinnedAt: 1_700_000_005 },
      { conversationId: "group_lobby", pinnedAt: 1_700_000_000 },
    ]);
    expect(listed.data).toEqual(replaced.data);
    expect([refused.status, refused.code]).toEqual([403, "ERR_SYSTEM_PINNED_CONVERSATION"]);
    expect(shown.data.pinnedBy).toBe("app_system");
    expect(cleared.data).toEqual([]);
  });
});

describe("operations of a conversation", () => {
  it.each(["users/alice", "groups/lobby"])("refuse strangers and missing peers: %s", async (peer) => {
    const line = `GET /${peer}/conversation`;
    await chat("POST /users", { uid: "carol", name: "Carol" });
    await sendText("Hi");
    await sendText("Hi", "alice", "lobby");

    const member = await chat(line, "bob");
    const stranger = await chat(line, "carol");
    const missing = await chat(line.replace(/alice|lobby/, "missing"), "bob");

    expect(member.status).toBe(200);
    expect(stranger.code).toBe("ERR_CONVERSATION_NOT_ACCESSIBLE");
    expect(missing.code).toMatch(/^ERR_(UID|GUID)_NOT_FOUND$/);
  });

  it("refuse an unknown id", async () => {
    expect((await chat("GET /conversations/x_user_y", "bob")).code).toBe("ERR_CONVERSATION_NOT_FOUND");
  });
});
