import { describe, expect, it } from "vitest";
import { chat, codeOf, dataOf, type Json, sendText, startAt, startPlatform } from "./helpers.ts";

async function replyTo(id: string, text: string, as = "bob", more: Json = {}): Promise<Json> {
  const answer = await chat(`POST /messages/${id}/thread`, as, { data: { text }, ...more });
  return answer.data ?? answer.code;
}

describe("threads", () => {
  it("show the number of replies and the last one in the parent", async () => {
    const { id } = await sendText("parent");

    const first = await replyTo(id, "one");
    const second = await replyTo(id, "two", "alice", { receiver: "bob", receiverType: "user" });

    expect(await dataOf(`GET /messages/${id}`)).toMatchObject({
      replyCount: 2,
      lastReply: { id: second.id },
    });
    const replies = await chat(`GET /messages/${id}/thread?perPage=1`);
    const rest = await dataOf(`GET /messages/${id}/thread?affix=append&id=${first.id}`);
    expect(first).toMatchObject({ parentId: id, receiver: "alice", conversationId: "alice_user_bob" });
    expect(replies.body.meta).toEqual({
      current: { limit: 1, count: 1 },
      next: { affix: "append", sentAt: first.sentAt, id: first.id },
    });
    expect(rest.map((reply: Json) => reply.id)).toEqual([second.id]);
  });

  it("do not count deleted replies", async () => {
    const { id } = await sendText("parent");
    const first = await replyTo(id, "one");
    const second = await replyTo(id, "two");

    await chat(`DELETE /messages/${second.id}`);
    expect(await dataOf(`GET /messages/${id}`)).toMatchObject({ replyCount: 1, lastReply: { id: first.id } });
    await chat(`DELETE /messages/${first.id}`, { permanent: true });
    const none = await dataOf(`GET /messages/${id}`);
    expect([none.replyCount, none.lastReply]).toEqual([0, undefined]);
  });

  it("are omitted from lists on request", async () => {
    const { id } = await sendText("parent");
    await replyTo(id, "one");

    const answer = await dataOf("GET /messages?hideReplies=true", "alice");

    expect(answer.map((message: Json) => message.id)).toEqual([id]);
  });

  it("have one level and one conversation", async () => {
    const { id } = await sendText("parent");
    const reply = await replyTo(id, "one");
    const edited = await dataOf(`PUT /messages/${id}`, { data: { text: "new" } });

    const codes = [
      await replyTo(reply.id, "nested"),
      await replyTo(id, "elsewhere", "bob", { receiver: "support", receiverType: "user" }),
      await replyTo(edited.id, "on an action"),
      await replyTo(id, ""),
    ];

    expect(codes).toEqual([
      "ERR_MESSAGE_THREAD_NESTING",
      "ERR_WRONG_MESSAGE_THREAD",
      "ERR_WRONG_MESSAGE_THREAD_CATEGORY",
      "ERR_EMPTY_MESSAGE_TEXT",
    ]);
  });

  it("are followed by a user who starts, replies or is mentioned, until they unfollow", async () => {
    const platform = await startPlatform();
    const parent = await sendText("parent", "alice", "lobby");
    const followers = () =>
      platform.services.db.all("SELECT uid FROM thread_subscribers ORDER BY uid").map((row) => row.uid);

    await replyTo(parent.id, "Hi <@uid:support>");
    const all = followers();
    expect(await dataOf(`DELETE /messages/${parent.id}/thread/subscription`, "support")).toEqual({
      success: true,
    });
    const left = followers();
    await chat(`POST /messages/${parent.id}/thread/subscription`, "support");

    expect(all).toEqual(["alice", "bob", "support"]);
    expect(left).toEqual(["alice", "bob"]);
    expect(followers()).toEqual(["alice", "bob", "support"]);
  });

  it("are listed by the time of their last reply, with the unread count", async () => {
    const clock = await startAt(1_700_000_000_000);
    const older = await sendText("older");
    const newer = await sendText("newer");
    const foreign = await sendText("foreign", "bob", "support");
    await replyTo(foreign.id, "not yours", "support");
    await replyTo(newer.id, "first");
    await clock.advance(10_000);
    await replyTo(older.id, "later <@uid:alice>");

    const all = await chat("GET /threads");
    const mine = await chat("GET /threads?withUnreadReplyCount=true&withMentionCount=true", "alice");
    const next = await chat("GET /threads?affix=append&updatedAt=1700000000", "alice");
    const part = await chat("GET /threads?participatedByMe=true", "support");

    const ids = (answer: Json) => answer.body.data.map((message: Json) => message.id);
    expect(ids(all)).toEqual([newer.id, foreign.id, older.id]);
    expect(mine.data).toMatchObject([
      { id: newer.id, replyCount: 1, unreadReplyCount: 1, mentionCount: 0 },
      { id: older.id, unreadReplyCount: 1, mentionCount: 1, lastReply: { parentId: older.id } },
    ]);
    expect(mine.body.meta.next).toEqual({ affix: "append", updatedAt: 1_700_000_010 });
    expect(ids(next)).toEqual([older.id]);
    expect(ids(part)).toEqual([foreign.id]);
  });

  it("cannot be filtered by participation without an acting user", async () => {
    expect(await codeOf("GET /threads?participatedByMe=true")).toBe("ERR_BAD_REQUEST");
  });
});
