import { describe, expect, it } from "vitest";
import type { Platform } from "../../local/platform/create-platform.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { chat, type Json, sendText, startPlatform } from "./helpers.ts";

async function replyTo(
  platform: Platform,
  id: string,
  text: string,
  as = "bob",
  more: Json = {},
): Promise<Json> {
  const answer = await chat(platform, `POST /messages/${id}/thread`, {
    as,
    body: { data: { text }, ...more },
  });
  return answer.body.data ?? answer.body.error.code;
}

describe("threads", () => {
  it("show in the parent how many replies there are and the last", async () => {
    const platform = await startPlatform();
    const { id } = await sendText(platform, "parent");

    const first = await replyTo(platform, id, "one");
    const second = await replyTo(platform, id, "two", "alice", { receiver: "bob", receiverType: "user" });

    const parent = await chat(platform, `GET /messages/${id}`);
    const replies = await chat(platform, `GET /messages/${id}/thread?perPage=1`);
    const rest = await chat(platform, `GET /messages/${id}/thread?affix=append&id=${first.id}`);
    expect(first).toMatchObject({ parentId: id, receiver: "alice", conversationId: "alice_user_bob" });
    expect(parent.body.data).toMatchObject({ replyCount: 2, lastReply: { id: second.id } });
    expect(replies.body.meta).toEqual({
      current: { limit: 1, count: 1 },
      next: { affix: "append", sentAt: first.sentAt, id: first.id },
    });
    expect(rest.body.data.map((reply: Json) => reply.id)).toEqual([second.id]);
  });

  it("forget deleted replies", async () => {
    const platform = await startPlatform();
    const { id } = await sendText(platform, "parent");
    const first = await replyTo(platform, id, "one");
    const second = await replyTo(platform, id, "two");

    await chat(platform, `DELETE /messages/${second.id}`);
    const one = await chat(platform, `GET /messages/${id}`);
    await chat(platform, `DELETE /messages/${first.id}`, { body: { permanent: true } });
    const none = await chat(platform, `GET /messages/${id}`);

    expect(one.body.data).toMatchObject({ replyCount: 1, lastReply: { id: first.id } });
    expect([none.body.data.replyCount, none.body.data.lastReply]).toEqual([0, undefined]);
  });

  it("are left out of lists when asked", async () => {
    const platform = await startPlatform();
    const { id } = await sendText(platform, "parent");
    await replyTo(platform, id, "one");

    const answer = await chat(platform, "GET /messages?hideReplies=true", { as: "alice" });

    expect(answer.body.data.map((message: Json) => message.id)).toEqual([id]);
  });

  it("have one level and one conversation", async () => {
    const platform = await startPlatform();
    const { id } = await sendText(platform, "parent");
    const reply = await replyTo(platform, id, "one");
    const edited = await chat(platform, `PUT /messages/${id}`, { body: { data: { text: "new" } } });

    const codes = [
      await replyTo(platform, reply.id, "nested"),
      await replyTo(platform, id, "elsewhere", "bob", { receiver: "support", receiverType: "user" }),
      await replyTo(platform, edited.body.data.id, "on an action"),
      await replyTo(platform, id, ""),
    ];

    expect(codes).toEqual([
      "ERR_MESSAGE_THREAD_NESTING",
      "ERR_WRONG_MESSAGE_THREAD",
      "ERR_WRONG_MESSAGE_THREAD_CATEGORY",
      "ERR_EMPTY_MESSAGE_TEXT",
    ]);
  });

  it("are followed by who starts, replies or is mentioned, until they stop", async () => {
    const platform = await startPlatform();
    const parent = await sendText(platform, "parent", "alice", "lobby");
    const followers = () =>
      platform.services.db.all("SELECT uid FROM thread_subscribers ORDER BY uid").map((row) => row.uid);

    await replyTo(platform, parent.id, "Hi <@uid:support>");
    const all = followers();
    const stopped = await chat(platform, `DELETE /messages/${parent.id}/thread/subscription`, {
      as: "support",
    });
    const left = followers();
    await chat(platform, `POST /messages/${parent.id}/thread/subscription`, { as: "support" });

    expect(all).toEqual(["alice", "bob", "support"]);
    expect(stopped.body.data).toEqual({ success: true });
    expect(left).toEqual(["alice", "bob"]);
    expect(followers()).toEqual(["alice", "bob", "support"]);
  });

  it("are listed by the time of their last reply, with what is unread", async () => {
    const clock = createVirtualClock(1_700_000_000_000);
    const platform = await startPlatform({ clock });
    const older = await sendText(platform, "older");
    const newer = await sendText(platform, "newer");
    const foreign = await sendText(platform, "foreign", "bob", "support");
    await replyTo(platform, foreign.id, "not yours", "support");
    await replyTo(platform, newer.id, "first");
    await clock.advance(10_000);
    await replyTo(platform, older.id, "later <@uid:alice>");

    const all = await chat(platform, "GET /threads");
    const mine = await chat(platform, "GET /threads?withUnreadReplyCount=true&withMentionCount=true", {
      as: "alice",
    });
    const next = await chat(platform, "GET /threads?affix=append&updatedAt=1700000000", { as: "alice" });
    const part = await chat(platform, "GET /threads?participatedByMe=true", { as: "support" });

    const ids = (answer: Json) => answer.body.data.map((message: Json) => message.id);
    expect(ids(all)).toEqual([newer.id, foreign.id, older.id]);
    expect(mine.body.data).toMatchObject([
      { id: newer.id, replyCount: 1, unreadReplyCount: 1, mentionCount: 0 },
      { id: older.id, unreadReplyCount: 1, mentionCount: 1, lastReply: { parentId: older.id } },
    ]);
    expect(mine.body.meta.next).toEqual({ affix: "append", updatedAt: 1_700_000_010 });
    expect(ids(next)).toEqual([older.id]);
    expect(ids(part)).toEqual([foreign.id]);
  });

  it("cannot be filtered by participation when nobody is acted for", async () => {
    const platform = await startPlatform();

    const answer = await chat(platform, "GET /threads?participatedByMe=true");

    expect(answer.body.error.code).toBe("ERR_BAD_REQUEST");
  });
});
