import { describe, expect, it } from "vitest";
import { watchEvents } from "./events.ts";
import { chat, type Json, sendText, startAt } from "./helpers.ts";

const smile = encodeURIComponent("😅");

describe("reactions", () => {
  it("are counted in the message and told once each", async () => {
    await startAt(1_700_000_000_000);
    const events = await watchEvents("message_reaction_added", "message_reaction_removed");
    const { id } = await sendText("Hi");

    await chat(`POST /messages/${id}/reactions/${smile}`, "bob");
    const added = await chat(`POST /messages/${id}/reactions/${smile}`, "alice");
    await chat(`POST /messages/${id}/reactions/${smile}`, "alice");
    const listed = await chat("GET /messages", "bob");
    const removed = await chat(`DELETE /messages/${id}/reactions/${smile}`, "alice");
    await chat(`DELETE /messages/${id}/reactions/${smile}`, "alice");
    const last = await chat(`DELETE /messages/${id}/reactions/${smile}`, "bob");

    expect(added.data.data.reactions).toEqual([{ reaction: "😅", count: 2, reactedByMe: true }]);
    expect(listed.data[0].data.reactions).toEqual([{ reaction: "😅", count: 2, reactedByMe: true }]);
    expect(removed.data.data.reactions).toEqual([{ reaction: "😅", count: 1 }]);
    expect(last.data.data.reactions).toBeUndefined();
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
    const next = await chat(`GET /messages/${id}/reactions?affix=append&id=2`);
    const one = await chat(`GET /messages/${id}/reactions/b`);

    expect(first.body.meta).toEqual({ current: { limit: 2, count: 2 }, next: { affix: "append", id: "2" } });
    expect(next.data.map((each: Json) => each.id)).toEqual(["3", "4"]);
    expect(one.data.map((each: Json) => each.uid)).toEqual(["bob", "alice"]);
  });

  it("are a filter of lists", async () => {
    await sendText("plain");
    const { id } = await sendText("liked");
    await chat(`POST /messages/${id}/reactions/x`, "bob");

    const answer = await chat("GET /users/bob/messages?hasReactions=true", "alice");

    expect(answer.data.map((message: Json) => message.id)).toEqual([id]);
  });
});

describe("pins", () => {
  it("are made in groups by admins and moderators", async () => {
    await chat("POST /groups", { guid: "den", name: "Den", type: "public", owner: "alice" });
    await chat("POST /groups/den/members", { participants: ["bob"] });
    const data = await sendText("pin me", "bob", "den");

    const refused = await chat(`POST /messages/${data.id}/pin`, "bob");
    const pinned = await chat(`POST /messages/${data.id}/pin`, "alice");
    const kept = await chat(`DELETE /messages/${data.id}/pin`, "bob");

    expect([refused.status, refused.code]).toEqual([403, "ERR_PERMISSION_DENIED"]);
    expect(pinned.data.pinnedBy).toBe("alice");
    expect(kept.code).toBe("ERR_PERMISSION_DENIED");
  });

  it("keep the first pin, are undone by anybody and told once each", async () => {
    const clock = await startAt(1_700_000_000_000);
    const events = await watchEvents("message_pinned", "message_unpinned");
    const { id } = await sendText("pin me");

    const pinned = await chat(`POST /messages/${id}/pin`, "alice");
    await clock.advance(5_000);
    const again = await chat(`POST /messages/${id}/pin`);
    const unpinned = await chat(`DELETE /messages/${id}/pin`, "bob");
    await chat(`DELETE /messages/${id}/pin`);
    const byApp = await chat(`POST /messages/${id}/pin`);

    expect(pinned.data).toMatchObject({ id, pinnedBy: "alice", pinnedAt: 1_700_000_000 });
    expect(again.data).toMatchObject({ pinnedBy: "alice", pinnedAt: 1_700_000_000 });
    expect(Object.keys(unpinned.data)).not.toEqual(expect.arrayContaining(["pinnedBy"]));
    expect(byApp.data.pinnedBy).toBe("app_system");
    expect(await events()).toMatchObject([
      ["message_pinned", { message: { id, pinnedBy: "alice", pinnedAt: 1_700_000_000 } }],
      ["message_unpinned", { message: { id, unpinnedBy: "bob", unpinnedAt: 1_700_000_005 } }],
      ["message_pinned", { message: { id, pinnedBy: "app_system" } }],
    ]);
  });

  it("end at 100 in a conversation, and deleting makes room", async () => {
    for (let count = 0; count < 101; count += 1) await sendText(`m${count}`);
    for (let id = 1; id <= 100; id += 1) await chat(`POST /messages/${id}/pin`);

    const refused = await chat("POST /messages/101/pin");
    const elsewhere = await sendText("other", "alice", "support");
    const other = await chat(`POST /messages/${elsewhere.id}/pin`);
    await chat("DELETE /messages/1");
    const fits = await chat("POST /messages/101/pin");

    expect([refused.status, refused.code]).toEqual([400, "ERR_PINNED_MESSAGES_LIMIT_EXCEEDED"]);
    expect([other.status, fits.status]).toEqual([200, 200]);
  });
});

describe("saves", () => {
  it("are private, keep the first time and end at 100", async () => {
    const clock = await startAt(1_700_000_000_000);
    for (let count = 0; count < 101; count += 1) await sendText(`m${count}`);

    const saved = await chat("POST /messages/1/save", "bob");
    await clock.advance(5_000);
    const again = await chat("POST /messages/1/save", "bob");
    const seenByAlice = await chat("GET /messages/1", "alice");
    for (let id = 2; id <= 100; id += 1) await chat(`POST /messages/${id}/save`, "bob");
    const refused = await chat("POST /messages/101/save", "bob");
    const unsaved = await chat("DELETE /messages/1/save", "bob");
    const fits = await chat("POST /messages/101/save", "bob");

    expect([saved.data.savedAt, again.data.savedAt]).toEqual([1_700_000_000, 1_700_000_000]);
    expect(seenByAlice.data.savedAt).toBeUndefined();
    expect([refused.status, refused.code]).toEqual([400, "ERR_SAVED_MESSAGES_LIMIT_EXCEEDED"]);
    expect(unsaved.data.savedAt).toBeUndefined();
    expect(fits.status).toBe(200);
  });
});

describe("marks of messages", () => {
  const operations = [
    ["POST", "/reactions/x"],
    ["DELETE", "/reactions/x"],
    ["POST", "/pin"],
    ["POST", "/save"],
    ["DELETE", "/save"],
    ["PATCH", "/interacted"],
    ["POST", "/thread"],
    ["GET", "/thread"],
    ["GET", "/reactions"],
    ["POST", "/thread/subscription"],
    ["DELETE", "/thread/subscription"],
  ] as const;

  it.each(operations)("refuse a foreign message: %s %s", async (method, path) => {
    const { id } = await sendText("Hi");
    const bodies: Record<string, unknown> = {
      "POST /thread": { data: { text: "x" } },
      "PATCH /interacted": { interactions: ["button"] },
    };

    const foreign = await chat(`${method} /messages/${id}${path}`, "support", bodies[`${method} ${path}`]);

    expect([foreign.status, foreign.code]).toEqual([403, "ERR_MESSAGE_NO_ACCESS"]);
  });

  it.each(["POST /messages/1/pin", "POST /messages/1/reactions/x", "POST /messages/1/save"])(
    "refuse a deleted message: %s",
    async (line) => {
      await sendText("Hi");
      await chat("DELETE /messages/1");

      const answer = await chat(line, "alice");

      expect(answer.code).toBe("ERR_MESSAGE_ID_NOT_FOUND");
    },
  );
});
