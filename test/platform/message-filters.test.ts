import { describe, expect, it } from "vitest";
import { chat, codeOf, dataOf, type Json, sendText, startAt } from "./helpers.ts";

async function textsOf(path: string, as?: string): Promise<string[]> {
  const answer = await dataOf(`GET ${path}`, as);
  return answer.map((message: Json) => message.data.text ?? message.data.action);
}

describe("message lists", () => {
  it("filter by time of sending, editing and change", async () => {
    const clock = await startAt(1_700_000_000_000);
    const { id } = await sendText("first");
    await clock.advance(10_000);
    await sendText("second");
    await clock.advance(10_000);
    await chat(`PUT /messages/${id}`, { data: { text: "first, edited" } });

    const found = async (query: string) => await textsOf(`/messages?category=message&${query}`);

    expect(await found("sentAt[from]=1700000005")).toEqual(["second"]);
    expect(await found("sentAt[to]=1700000000")).toEqual(["first, edited"]);
    expect(await found("editedAt[from]=1700000020&editedAt[to]=1700000020")).toEqual(["first, edited"]);
    expect(await found("updatedAt[from]=1")).toEqual(["first, edited"]);
    expect(await found("fromTimestamp=1700000010&toTimestamp=1700000010")).toEqual(["second"]);
  });

  it("hide messages of blocked users, and can be limited to mentions of the reader", async () => {
    await sendText("from bob", "bob", "lobby");
    await sendText("for <@uid:alice>", "support", "lobby");
    await chat("POST /users/alice/blockedusers", { blockedUids: ["bob"] });
    const lobby = "/groups/lobby/messages?category=message";

    expect(await textsOf(lobby, "alice")).toEqual(["from bob", "for <@uid:alice>"]);
    expect(await textsOf(`${lobby}&hideMessagesFromBlockedUsers=true`, "alice")).toEqual([
      "for <@uid:alice>",
    ]);
    expect(await textsOf(`${lobby}&myMentionsOnly=true`, "alice")).toEqual(["for <@uid:alice>"]);
    expect(await textsOf(`${lobby}&myMentionsOnly=true`, "bob")).toEqual([]);
  });

  it("show more of mentioned users on request", async () => {
    await chat("PUT /users/bob", { tags: ["vip"] });
    await sendText("Hi <@uid:bob>", "support", "lobby");
    await chat("POST /users/alice/blockedusers", { blockedUids: ["bob"] });

    expect((await dataOf("GET /groups/lobby/messages", "alice"))[0].data.mentions.bob).toEqual({
      uid: "bob",
      name: "Bob Okafor",
    });
    expect(
      (
        await dataOf(
          "GET /groups/lobby/messages?mentionsWithBlockedInfo=true&mentionsWithTagInfo=true",
          "alice",
        )
      )[0].data.mentions.bob,
    ).toMatchObject({ blockedByMe: true, tags: ["vip"] });
  });

  it.each([
    ["/messages", undefined, 3],
    ["/messages", "support", 2],
    ["/users/bob/messages", "alice", 1],
    ["/groups/lobby/messages", undefined, 2],
  ])("count: %s for %s", async (path, as, count) => {
    await sendText("one to one");
    await sendText("a", "alice", "lobby");
    await sendText("b", "alice", "lobby");

    const answer = await chat(`GET ${path}?count=true`, as);

    expect(answer.body).toEqual({ data: { count } });
  });

  it("count unread messages the same with and without another filter", async () => {
    await sendText("one to one");
    await sendText("a", "alice", "lobby");
    const deleted = await sendText("b", "alice", "lobby");
    await chat(`DELETE /messages/${deleted.id}`);
    const count = async (more: string, as: string) =>
      (await dataOf(`GET /messages?unread=true&count=true${more}`, as)).count;

    expect([await count("", "bob"), await count("&hideReplies=false", "bob")]).toEqual([2, 2]);
    expect([await count("", "alice"), await count("&hideReplies=false", "alice")]).toEqual([0, 0]);
  });

  it("of a group are only for its members", async () => {
    await chat("POST /users", { uid: "carol", name: "Carol" });

    expect(await codeOf("GET /groups/lobby/messages", "carol")).toBe("ERR_GROUP_NOT_JOINED");
  });

  it("find the few messages of one user among many others", async () => {
    await chat("POST /users", { uid: "carol", name: "Carol" });
    for (let count = 0; count < 20; count += 1) await sendText(`m${count}`);
    await sendText("for carol", "alice", "carol");

    expect(await textsOf("/messages", "carol")).toEqual(["for carol"]);
    expect(await textsOf("/messages?affix=prepend&limit=2", "alice")).toEqual(["m19", "for carol"]);
  });
});
