import { describe, expect, it } from "vitest";
import { watchEvents } from "./events.ts";
import { chat, codeOf, dataOf, type Json, sendText, startAt } from "./helpers.ts";

const smile = encodeURIComponent("😅");

describe("reactions", () => {
  it("are counted in the message, with one event each", async () => {
    await startAt(1_700_000_000_000);
    const events = await watchEvents("message_reaction_added", "message_reaction_removed");
    const { id } = await sendText("Hi");

    await chat(`POST /messages/${id}/reactions/${smile}`, "bob");
    expect((await dataOf(`POST /messages/${id}/reactions/${smile}`, "alice")).data.reactions).toEqual([
      { reaction: "😅", count: 2, reactedByMe: true },
    ]);
    await chat(`POST /messages/${id}/reactions/${smile}`, "alice");
    expect((await dataOf("GET /messages", "bob"))[0].data.reactions).toEqual([
      { reaction: "😅", count: 2, reactedByMe: true },
    ]);
    expect((await dataOf(`DELETE /messages/${id}/reactions/${smile}`, "alice")).data.reactions).toEqual([
      { reaction: "😅", count: 1 },
    ]);
    await chat(`DELETE /messages/${id}/reactions/${smile}`, "alice");
    expect((await dataOf(`DELETE /messages/${id}/reactions/${smile}`, "bob")).data.reactions).toBeUndefined();
    const seen = await events();
    expect(seen.map(([trigger, data]) => [trigger, data.reaction.uid])).toEqual([
      ["message_reaction_added", "bob"],
      ["message_reaction_added", "alice"],
      ["message_reaction_removed", "alice"],
      ["message_reaction_removed", "bob"],
    ]);
    expect(seen[0]?.[1].reaction).toMatchObject({
      messageId: id,
      reaction: "😅",
      reactedAt: 1_700_000_000,
      reactedBy: { uid: "bob", name: "Bob Okafor" },
    });
  });

  it("are listed in pages, all or one kind", async () => {
    const { id } = await sendText("Hi");
    for (const reaction of ["a", "b", "c"]) {
      await chat(`POST /messages/${id}/reactions/${reaction}`, "bob");
    }
    await chat(`POST /messages/${id}/reactions/b`, "alice");

    const first = await chat(`GET /messages/${id}/reactions?limit=2`);
    const next = await dataOf(`GET /messages/${id}/reactions?affix=append&id=2`);
    const one = await dataOf(`GET /messages/${id}/reactions/b`);

    expect(first.body.meta).toEqual({ current: { limit: 2, count: 2 }, next: { affix: "append", id: "2" } });
    expect(next.map((each: Json) => each.id)).toEqual(["3", "4"]);
    expect(one.map((each: Json) => each.uid)).toEqual(["bob", "alice"]);
  });

  it("can filter lists", async () => {
    await sendText("plain");
    const { id } = await sendText("liked");
    await chat(`POST /messages/${id}/reactions/x`, "bob");

    const answer = await dataOf("GET /users/bob/messages?hasReactions=true", "alice");

    expect(answer.map((message: Json) => message.id)).toEqual([id]);
  });
});

describe("pins", () => {
  it("are created in groups by admins and moderators", async () => {
    await chat("POST /groups", { guid: "den", name: "Den", type: "public", owner: "alice" });
    await chat("POST /groups/den/members", { participants: ["bob"] });
    const data = await sendText("pin me", "bob", "den");

    expect(await codeOf(`POST /messages/${data.id}/pin`, "bob")).toBe("ERR_PERMISSION_DENIED");
    expect((await dataOf(`POST /messages/${data.id}/pin`, "alice")).pinnedBy).toBe("alice");
    expect(await codeOf(`DELETE /messages/${data.id}/pin`, "bob")).toBe("ERR_PERMISSION_DENIED");
  });

  it("keep the first pin, can be removed by any user and have one event each", async () => {
    const clock = await startAt(1_700_000_000_000);
    const events = await watchEvents("message_pinned", "message_unpinned");
    const { id } = await sendText("pin me");

    expect(await dataOf(`POST /messages/${id}/pin`, "alice")).toMatchObject({
      id,
      pinnedBy: "alice",
      pinnedAt: 1_700_000_000,
    });
    await clock.advance(5_000);
    expect(await dataOf(`POST /messages/${id}/pin`)).toMatchObject({
      pinnedBy: "alice",
      pinnedAt: 1_700_000_000,
    });
    const unpinned = await dataOf(`DELETE /messages/${id}/pin`, "bob");
    await chat(`DELETE /messages/${id}/pin`);
    expect((await dataOf(`POST /messages/${id}/pin`)).pinnedBy).toBe("app_system");
    expect(Object.keys(unpinned)).not.toEqual(expect.arrayContaining(["pinnedBy"]));
    expect(await events()).toMatchObject([
      ["message_pinned", { message: { id, pinnedBy: "alice", pinnedAt: 1_700_000_000 } }],
      ["message_unpinned", { message: { id, unpinnedBy: "bob", unpinnedAt: 1_700_000_005 } }],
      ["message_pinned", { message: { id, pinnedBy: "app_system" } }],
    ]);
  });
});

describe("saves", () => {
  it("are private, and keep the first time", async () => {
    const clock = await startAt(1_700_000_000_000);
    await sendText("keep me");

    const saved = await chat("POST /messages/1/save", "bob");
    await clock.advance(5_000);
    const again = await chat("POST /messages/1/save", "bob");
    const seenByAlice = await chat("GET /messages/1", "alice");

    expect([saved, again, seenByAlice].map(({ data }) => data.savedAt)).toEqual([
      ...[1_700_000_000, 1_700_000_000, undefined],
    ]);
  });
});

it("pins of a conversation and saves of a user are limited to 100, and removing frees space", async () => {
  for (let id = 1; id <= 100; id += 1) {
    await sendText(`m${id}`);
    for (const mark of ["pin", "save"]) await chat(`POST /messages/${id}/${mark}`, "alice");
  }
  await sendText("one more");
  await sendText("elsewhere", "alice", "support");

  expect(await codeOf("POST /messages/101/pin", "alice")).toBe("ERR_PINNED_MESSAGES_LIMIT_EXCEEDED");
  expect(await codeOf("POST /messages/101/save", "alice")).toBe("ERR_SAVED_MESSAGES_LIMIT_EXCEEDED");
  expect(await codeOf("POST /messages/102/pin", "alice")).toBeUndefined();
  expect((await dataOf("DELETE /messages/1/save", "alice")).savedAt).toBeUndefined();
  expect(await codeOf("POST /messages/101/save", "alice")).toBeUndefined();
  await chat("DELETE /messages/1");
  expect(await codeOf("POST /messages/101/pin", "alice")).toBeUndefined();
});

describe("marks of messages", () => {
  it.each(["thread", "reactions"])("are hidden on a foreign message: %s", async (marks) => {
    await sendText("Hi");

    expect(await codeOf(`GET /messages/1/${marks}`, "support")).toBe("ERR_MESSAGE_NO_ACCESS");
  });

  it.each(["POST /messages/1/pin", "POST /messages/1/reactions/x", "POST /messages/1/save"])(
    "refuse a deleted message: %s",
    async (line) => {
      await sendText("Hi");
      await chat("DELETE /messages/1");

      expect(await codeOf(line, "alice")).toBe("ERR_MESSAGE_ID_NOT_FOUND");
    },
  );
});
