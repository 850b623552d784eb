import { describe, expect, it } from "vitest";
import { chat, codeOf, dataOf, type Json, sendText, startAt, startPlatform } from "./helpers.ts";

const unreadOf = async (as: string, path = "/users/alice/conversation") =>
  (await dataOf(`GET ${path}`, as))?.unreadMessageCount;

describe("a conversation", () => {
  it("starts with the first message, for both sides", async () => {
    await startAt(1_700_000_000_000);
    expect(await codeOf("GET /users/alice/conversation", "bob")).toBe("ERR_CONVERSATION_NOT_ACCESSIBLE");
    const { id } = await sendText("Hi");

    expect(await dataOf("GET /users/alice/conversation", "bob")).toMatchObject({
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

  it("is returned as an array if the switch is on", async () => {
    await startPlatform({ switches: { singleConversationForm: "array" } });
    await sendText("Hi");

    expect(await dataOf("GET /conversations/alice_user_bob", "bob")).toMatchObject([
      { conversationId: "alice_user_bob" },
    ]);
  });

  it("loses its last message and unread count when that message is deleted", async () => {
    const { id } = await sendText("Hi");

    await chat(`DELETE /messages/${id}`);

    const answer = await dataOf("GET /users/alice/conversation", "bob");
    expect(answer.lastMessage).toBeUndefined();
    expect(answer.unreadMessageCount).toBe("0");
  });

  it("of a group starts and ends with a membership", async () => {
    await chat("POST /users", { uid: "carol", name: "Carol" });
    await chat("POST /groups/lobby/members", { participants: ["carol"] });

    expect(await dataOf("GET /groups/lobby/conversation", "carol")).toMatchObject({
      unreadMessageCount: "0",
      lastMessage: { category: "action", type: "groupMember", data: { action: "added" } },
      conversationWith: { guid: "lobby", scope: "participant", hasJoined: true },
    });
    await chat("DELETE /groups/lobby/members/carol");
    expect(await codeOf("GET /groups/lobby/conversation", "carol")).toBe("ERR_CONVERSATION_NOT_ACCESSIBLE");
    expect((await dataOf("GET /groups/lobby/conversation", "bob")).lastMessage.data.action).toBe("kicked");
  });

  it("has tags of one user, who can filter by them", async () => {
    await sendText("Hi");

    expect((await dataOf("PUT /users/alice/conversation", "bob", { tags: ["vip"] })).tags).toEqual(["vip"]);
    expect(await dataOf("GET /conversations?tags=vip,other&withTags=true", "bob")).toMatchObject([
      { tags: ["vip"] },
    ]);
    expect(await dataOf("GET /conversations?tags=other", "bob")).toEqual([]);
    expect((await dataOf("GET /conversations?withTags=true", "alice"))[0].tags).toBeUndefined();
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
      const answer = await dataOf(`GET /conversations${query}`, as);
      return answer.map((each: Json) => each.conversationWith.uid ?? each.conversationWith.guid);
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
    expect(
      (await dataOf("GET /conversations?withUserAndGroupTags=true&userTags=friendly", "bob"))[0]
        .conversationWith.tags,
    ).toEqual(["friendly"]);
  });
});

describe("deleting a conversation", () => {
  it("hides it for one user until the next message", async () => {
    await sendText("old");

    expect((await dataOf("DELETE /users/alice/conversation", "bob")).message).toBe(
      "The conversation alice_user_bob has been deleted successfully for UID bob.",
    );
    const hidden = await dataOf("GET /conversations", "bob");
    const alice = await dataOf("GET /conversations", "alice");
    await sendText("new");
    const texts = async (path: string) =>
      (await dataOf(path, "bob")).map((message: Json) => message.data.text);
    expect([hidden.length, alice.length]).toEqual([0, 1]);
    expect(await texts("GET /users/alice/messages")).toEqual(["new"]);
    expect(await texts("GET /messages")).toEqual(["new"]);
    expect(await unreadOf("bob")).toBe("1");
  });

  it("keeps its place if requested, without a last message", async () => {
    await sendText("old");

    await chat("DELETE /users/alice/conversation", "bob", { preserveOrder: true });

    const list = await dataOf("GET /conversations", "bob");
    expect(list).toMatchObject([{ conversationId: "alice_user_bob", unreadMessageCount: "0" }]);
    expect(list[0].lastMessage).toBeUndefined();
  });

  it("removes the messages for both users if requested", async () => {
    const { id } = await sendText("gone");

    await chat("DELETE /users/bob/conversation", "alice", { deleteMessagesPermanently: true });

    expect((await chat(`GET /messages/${id}`)).status).toBe(404);
    expect(await unreadOf("bob")).toBe("0");
  });

  it("by id hides it for all users", async () => {
    await sendText("Hi");

    expect((await dataOf("DELETE /conversations/alice_user_bob", "alice")).message).toBe(
      "The conversation alice_user_bob has been deleted successfully for all the users.",
    );

    expect(await dataOf("GET /conversations", "bob")).toEqual([]);
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
    expect((await dataOf("GET /conversations?searchKey=u1", "alice"))[0]).toMatchObject({
      pinnedBy: "alice",
      pinnedAt: 1_700_000_000,
    });
    expect(await dataOf("DELETE /users/u1/conversation/pin", "alice")).toEqual({
      conversationId: "alice_user_u1",
      conversationType: "user",
    });
    const fits = await pin("u6");

    expect(first.data).toEqual({
      conversationId: "alice_user_u1",
      conversationType: "user",
      pinnedBy: "alice",
      pinnedAt: 1_700_000_000,
    });
    expect(again.data.pinnedAt).toBe(1_700_000_000);
    expect(refused.code).toBe("ERR_PINNED_CONVERSATIONS_LIMIT_EXCEEDED");
    expect(fits.status).toBe(200);
  });

  it("of the app are replaced as a whole, and users cannot change them", async () => {
    const clock = await startAt(1_700_000_000_000);
    await sendText("Hi");
    await chat("PUT /conversations/pinned", { pinnedConversations: [{ guid: "lobby" }] });
    await clock.advance(5_000);

    const replaced = await dataOf("PUT /conversations/pinned", {
      pinnedConversations: [{ uid: "bob" }, { guid: "lobby" }, { uid: "bob" }],
    });
    expect(await dataOf("GET /conversations/pinned")).toEqual(replaced);
    expect(await codeOf("POST /users/bob/conversation/pin", "alice")).toBe("ERR_SYSTEM_PINNED_CONVERSATION");
    expect((await dataOf("GET /users/bob/conversation", "alice")).pinnedBy).toBe("app_system");
    expect(await dataOf("PUT /conversations/pinned", { pinnedConversations: [] })).toEqual([]);

    expect(replaced).toMatchObject([
      { conversationType: "user", pinnedBy: "app_system", pinnedAt: 1_700_000_005 },
      { conversationId: "group_lobby", pinnedAt: 1_700_000_000 },
    ]);
  });
});
