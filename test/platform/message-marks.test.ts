import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { watchEvents } from "./events.ts";
import { app, chat, type Json, sendText, startPlatform } from "./helpers.ts";

const smile = encodeURIComponent("😅");

describe("reactions", () => {
  it("are counted in the message and told once each", async () => {
    const platform = await startPlatform({ clock: createVirtualClock(1_700_000_000_000) });
    const events = await watchEvents(platform, "message_reaction_added", "message_reaction_removed");
    const { id } = await sendText(platform, "Hi");

    await chat(platform, `POST /messages/${id}/reactions/${smile}`, { as: "bob" });
    const added = await chat(platform, `POST /messages/${id}/reactions/${smile}`, { as: "alice" });
    await chat(platform, `POST /messages/${id}/reactions/${smile}`, { as: "alice" });
    const listed = await chat(platform, "GET /messages", { as: "bob" });
    const removed = await chat(platform, `DELETE /messages/${id}/reactions/${smile}`, { as: "alice" });
    await chat(platform, `DELETE /messages/${id}/reactions/${smile}`, { as: "alice" });
    const last = await chat(platform, `DELETE /messages/${id}/reactions/${smile}`, { as: "bob" });

    expect(added.body.data.data.reactions).toEqual([{ reaction: "😅", count: 2, reactedByMe: true }]);
    expect(listed.body.data[0].data.reactions).toEqual([{ reaction: "😅", count: 2, reactedByMe: true }]);
    expect(removed.body.data.data.reactions).toEqual([{ reaction: "😅", count: 1 }]);
    expect(last.body.data.data.reactions).toBeUndefined();
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
    const platform = await startPlatform();
    const { id } = await sendText(platform, "Hi");
    for (const reaction of ["a", "b", "c"]) {
      await chat(platform, `POST /messages/${id}/reactions/${reaction}`, { as: "bob" });
    }
    await chat(platform, `POST /messages/${id}/reactions/b`, { as: "alice" });

    const first = await chat(platform, `GET /messages/${id}/reactions?limit=2`);
    const next = await chat(platform, `GET /messages/${id}/reactions?affix=append&id=2`);
    const one = await chat(platform, `GET /messages/${id}/reactions/b`);

    expect(first.body.meta).toEqual({ current: { limit: 2, count: 2 }, next: { affix: "append", id: "2" } });
    expect(next.body.data.map((each: Json) => each.id)).toEqual(["3", "4"]);
    expect(one.body.data.map((each: Json) => each.uid)).toEqual(["bob", "alice"]);
  });

  it("are a filter of lists", async () => {
    const platform = await startPlatform();
    await sendText(platform, "plain");
    const { id } = await sendText(platform, "liked");
    await chat(platform, `POST /messages/${id}/reactions/x`, { as: "bob" });

    const answer = await chat(platform, "GET /users/bob/messages?hasReactions=true", { as: "alice" });

    expect(answer.body.data.map((message: Json) => message.id)).toEqual([id]);
  });
});

describe("pins", () => {
  it("keep the first pin, are undone by anybody and told once each", async () => {
    const clock = createVirtualClock(1_700_000_000_000);
    const platform = await startPlatform({ clock });
    const events = await watchEvents(platform, "message_pinned", "message_unpinned");
    const { id } = await sendText(platform, "pin me");

    const pinned = await chat(platform, `POST /messages/${id}/pin`, { as: "alice" });
    await clock.advance(5_000);
    const again = await chat(platform, `POST /messages/${id}/pin`);
    const unpinned = await chat(platform, `DELETE /messages/${id}/pin`, { as: "bob" });
    await chat(platform, `DELETE /messages/${id}/pin`);
    const byApp = await chat(platform, `POST /messages/${id}/pin`);

    expect(pinned.body.data).toMatchObject({ id, pinnedBy: "alice", pinnedAt: 1_700_000_000 });
    expect(again.body.data).toMatchObject({ pinnedBy: "alice", pinnedAt: 1_700_000_000 });
    expect(Object.keys(unpinned.body.data)).not.toEqual(expect.arrayContaining(["pinnedBy"]));
    expect(byApp.body.data.pinnedBy).toBe("app_system");
    expect(await events()).toMatchObject([
      ["message_pinned", { message: { id, pinnedBy: "alice", pinnedAt: 1_700_000_000 } }],
      ["message_unpinned", { message: { id, unpinnedBy: "bob", unpinnedAt: 1_700_000_005 } }],
      ["message_pinned", { message: { id, pinnedBy: "app_system" } }],
    ]);
  });

  it("end at 100 in a conversation, and deleting makes room", async () => {
    const platform = await startPlatform();
    for (let count = 0; count < 101; count += 1) await sendText(platform, `m${count}`);
    for (let id = 1; id <= 100; id += 1) await chat(platform, `POST /messages/${id}/pin`);

    const refused = await chat(platform, "POST /messages/101/pin");
    const elsewhere = await sendText(platform, "other", "alice", "support");
    const other = await chat(platform, `POST /messages/${elsewhere.id}/pin`);
    await chat(platform, "DELETE /messages/1");
    const fits = await chat(platform, "POST /messages/101/pin");

    expect([refused.status, refused.body.error.code]).toEqual([400, "ERR_PINNED_MESSAGES_LIMIT_EXCEEDED"]);
    expect([other.status, fits.status]).toEqual([200, 200]);
  });
});

describe("saves", () => {
  it("are private, keep the first time and end at 100", async () => {
    const clock = createVirtualClock(1_700_000_000_000);
    const platform = await startPlatform({ clock });
    for (let count = 0; count < 101; count += 1) await sendText(platform, `m${count}`);

    const saved = await chat(platform, "POST /messages/1/save", { as: "bob" });
    await clock.advance(5_000);
    const again = await chat(platform, "POST /messages/1/save", { as: "bob" });
    const seenByAlice = await chat(platform, "GET /messages/1", { as: "alice" });
    for (let id = 2; id <= 100; id += 1) await chat(platform, `POST /messages/${id}/save`, { as: "bob" });
    const refused = await chat(platform, "POST /messages/101/save", { as: "bob" });
    const unsaved = await chat(platform, "DELETE /messages/1/save", { as: "bob" });
    const fits = await chat(platform, "POST /messages/101/save", { as: "bob" });

    expect([saved.body.data.savedAt, again.body.data.savedAt]).toEqual([1_700_000_000, 1_700_000_000]);
    expect(seenByAlice.body.data.savedAt).toBeUndefined();
    expect([refused.status, refused.body.error.code]).toEqual([400, "ERR_SAVED_MESSAGES_LIMIT_EXCEEDED"]);
    expect(unsaved.body.data.savedAt).toBeUndefined();
    expect(fits.status).toBe(200);
  });
});

describe("marks of messages", () => {
  it("record interactions", async () => {
    const platform = await startPlatform();
    const { id } = await sendText(platform, "Hi");

    const answer = await chat(platform, `PATCH /messages/${id}/interacted`, {
      as: "bob",
      body: { interactions: ["button1", "button1"] },
    });

    expect(answer.body.data).toEqual({
      success: true,
      message: `The message id ${id} has been marked as interacted for the user bob.`,
    });
  });

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

  it.each(operations)("refuse a missing, foreign and unauthorised message: %s %s", async (method, path) => {
    const platform = await startPlatform();
    const { id } = await sendText(platform, "Hi");
    const bodies: Record<string, unknown> = {
      "POST /thread": { data: { text: "x" } },
      "PATCH /interacted": { interactions: ["button"] },
    };
    const body = bodies[`${method} ${path}`];

    const missing = await chat(platform, `${method} /messages/999${path}`, { as: "alice", body });
    const foreign = await chat(platform, `${method} /messages/${id}${path}`, { as: "support", body });
    const weak = await chat(platform, `${method} /messages/${id}${path}`, {
      as: "alice",
      key: app.authOnlyKey,
    });

    expect([missing.status, missing.body.error.code]).toEqual([404, "ERR_MESSAGE_ID_NOT_FOUND"]);
    expect([foreign.status, foreign.body.error.code]).toEqual([403, "ERR_MESSAGE_NO_ACCESS"]);
    expect(weak.body.error.code).toBe("AUTH_ERR_NO_ACCESS");
  });

  it.each(operations.filter(([method, path]) => method !== "GET" && path !== "/pin"))(
    "need somebody to act for: %s %s",
    async (method, path) => {
      const platform = await startPlatform();
      const { id } = await sendText(platform, "Hi");

      const answer = await chat(platform, `${method} /messages/${id}${path}`);

      expect(answer.body.error?.code).toBe("ERR_BAD_REQUEST");
    },
  );

  it.each(["POST /messages/1/pin", "POST /messages/1/reactions/x", "POST /messages/1/save"])(
    "refuse a deleted message: %s",
    async (line) => {
      const platform = await startPlatform();
      await sendText(platform, "Hi");
      await chat(platform, "DELETE /messages/1");

      const answer = await chat(platform, line, { as: "alice" });

      expect(answer.body.error.code).toBe("ERR_MESSAGE_ID_NOT_FOUND");
    },
  );
});
