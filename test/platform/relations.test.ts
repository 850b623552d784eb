import { describe, expect, it } from "vitest";
import { watchEvents } from "./events.ts";
import {
  act,
  type CallOptions,
  chat,
  chatWith,
  codeOf,
  dataOf,
  type Json,
  sendText,
  startAt,
  startPlatform,
} from "./helpers.ts";

describe("friends", () => {
  it("are friends in both directions, each uid with its own result", async () => {
    expect(
      (await dataOf("POST /users/alice/friends", { accepted: ["bob", "alice", "nobody"] })).accepted,
    ).toMatchObject({
      bob: { success: true, message: "Created relationship with status accepted." },
      alice: { success: false, error: { code: "ERR_CANNOT_FORM_SELF_RELATION" } },
      nobody: { success: false, error: { code: "ERR_UID_NOT_FOUND" } },
    });
    expect((await dataOf("POST /users/bob/friends", { accepted: ["alice"] })).accepted.alice.error.code).toBe(
      "ERR_ALREADY_FRIEND",
    );
    const list = await chat("GET /users/bob/friends?searchKey=ali");
    expect(list.body).toMatchObject({
      data: [{ uid: "alice", conversationId: "alice_user_bob" }],
      meta: { pagination: { total: 1, count: 1 }, cursor: { affix: "append" } },
    });
  });

  it("are removed on both sides, or not at all", async () => {
    await chat("POST /users/alice/friends", { accepted: ["bob"] });

    expect(await codeOf("DELETE /users/alice/friends", { friends: ["bob", "support"] })).toBe(
      "ERR_NOT_A_FRIEND",
    );
    expect(await dataOf("GET /users/alice/friends")).toHaveLength(1);
    expect(await dataOf("DELETE /users/bob/friends", { friends: ["alice"] })).toEqual({
      success: true,
      message: "Deleted the friend relations succussfully",
    });
    expect(await dataOf("GET /users/alice/friends")).toEqual([]);
  });
});

describe("blocked users", () => {
  it("are reported to the webhooks in one event for a call", async () => {
    await startAt(1_700_000_000_000);
    const events = await watchEvents("user_blocked", "user_unblocked");

    const blocked = await dataOf("POST /users/alice/blockedusers", {
      blockedUids: ["bob", "support", "alice"],
    });
    expect(await dataOf("GET /users/alice/blockedusers")).toMatchObject([
      { uid: "bob", blockedByMe: true, blockedByMeAt: 1_700_000_000, conversationId: "alice_user_bob" },
      { uid: "support", blockedByMe: true },
    ]);
    expect((await dataOf("DELETE /users/alice/blockedusers", { blockedUids: ["bob"] })).bob.success).toBe(
      true,
    );
    await chat("DELETE /users/alice/blockedusers", { blockedUids: ["bob"] });

    expect(blocked.bob.message).toBe("The user with UID alice has blocked user with UID bob successfully.");
    expect(blocked.alice.error.code).toBe("ERR_CANNOT_BLOCK_SELF");
    const seen = await events();
    expect(seen.map(([trigger, data]) => [trigger, Object.keys(data.users), data.by.uid])).toEqual([
      ["user_blocked", ["bob", "support"], "alice"],
      ["user_unblocked", ["bob"], "alice"],
    ]);
  });

  it.each(["alice", "bob"])("have no access to each other's data: %s blocks", async (blocker) => {
    const [other = ""] = ["alice", "bob"].filter((uid) => uid !== blocker);
    const ids = Object.fromEntries(
      await Promise.all(
        ["alice", "bob"].map(async (as) => [
          as,
          (await sendText("Hi", as, as === "bob" ? "alice" : "bob")).id,
        ]),
      ),
    );
    await chat("POST /moderation/rules", {
      id: "r",
      name: "R",
      conditions: [{ category: "word", value: ["bad"] }],
    });
    const disapproved = (await sendText("bad", other, blocker)).id;
    const marks = ["reactions/y", "pin"].map((mark) => `POST /messages/${ids.bob}/${mark}`);
    const mark = async () => await Promise.all(marks.map(async (line) => (await chat(line, "alice")).status));
    await mark();
    await chat(`POST /users/${blocker}/blockedusers`, { blockedUids: [other] });
    const hidden = (await sendText("Hi", other, blocker))?.id;
    const lines = (uid: string) => [
      [`PUT /messages/${ids[uid]}`, { data: { text: "insult" } }],
      [`POST /messages/${ids.bob}/reactions/x`],
      [`POST /messages/${ids.alice}/pin`],
    ];

    for (const [uid, code] of [
      [blocker, "ERR_BLOCKED_RECEIVER"],
      [other, "ERR_BLOCKED_SENDER"],
    ]) {
      for (const [line, body] of lines(uid ?? "")) {
        expect([line, await codeOf(String(line), uid, body)]).toEqual([line, code]);
      }
    }
    const edited = await codeOf(`PUT /messages/${disapproved}`, other, { data: { text: "insult" } });
    expect([edited, ...(await mark())]).toEqual(["ERR_BLOCKED_SENDER", 200, 200]);
    await chat(`PUT /messages/${hidden}`, other, { data: { text: "of no use" } });
    await chat(`DELETE /messages/${ids.bob}/reactions/y`, "alice");
    const removed = await chat(`DELETE /messages/${ids[other]}`, other);
    const path = `/users/${other}/conversation/read`;
    const marked = await codeOf(`POST ${path}`, blocker, { messageId: Number(hidden) });
    await chat(`POST ${path}`, blocker);

    const seen = await dataOf(`GET /messages/${hidden}`, other);
    expect([removed.status, marked, seen.data.text]).toEqual([200, "ERR_MESSAGE_NO_ACCESS", "of no use"]);
    expect(seen).not.toHaveProperty("readAt");
    expect((await chat(`PUT /messages/${ids[blocker]}`, { data: { text: "by the app" } })).status).toBe(200);
  });

  it.each(["hidden", "refused"] as const)(
    "can write to a user who blocked them, as configured: %s",
    async (messagesToBlocker) => {
      await startPlatform({ switches: { messagesToBlocker } });
      await chat("POST /users/alice/blockedusers", { blockedUids: ["bob"] });
      const hi = { receiverType: "user", data: { text: "Hi" } };

      expect(await codeOf("POST /messages", "alice", { ...hi, receiver: "bob" })).toBe(
        "ERR_BLOCKED_RECEIVER",
      );
      expect(await codeOf("POST /messages", "bob", { ...hi, receiver: "alice" })).toBe(
        messagesToBlocker === "refused" ? "ERR_BLOCKED_SENDER" : undefined,
      );
      expect(await dataOf("GET /users/alice", "bob")).toMatchObject({ hasBlockedMe: true });
      expect(await dataOf("GET /users/bob", "alice")).toMatchObject({ blockedByMe: true });

      await chat("DELETE /users/alice/blockedusers", { blockedUids: ["bob"] });
      const textsOf = async (uid: string) =>
        (await dataOf("GET /messages", uid)).map(({ data }: Json) => data.text);
      const unread = await dataOf("GET /messages?unread=true&count=true", "alice");
      expect([await textsOf("alice"), unread.count]).toEqual([[], 0]);
      expect(await textsOf("bob")).toEqual(messagesToBlocker === "refused" ? [] : ["Hi"]);
      expect(await codeOf("GET /messages/1", "alice")).toBe(
        messagesToBlocker === "refused" ? "ERR_MESSAGE_ID_NOT_FOUND" : "ERR_MESSAGE_NO_ACCESS",
      );
    },
  );
});

it("a block applies to users: a group of the same id receives its messages", async () => {
  await chat("POST /users/bob/blockedusers", { blockedUids: ["alice"] });
  await chat("POST /groups", { guid: "bob", name: "Bob's", type: "public", owner: "alice" });
  await chat("POST /groups/bob/members", { participants: ["support"] });

  await sendText("Hi", "alice", "bob", { receiverType: "group" });

  expect((await dataOf("GET /messages?unread=true&count=true", "support")).count).toBe(1);
});

describe("users", () => {
  it("are deactivated by a deletion, can be restored, and are removed only permanently", async () => {
    const message = await sendText("Hi", "bob", "alice");
    const lists = async (query = "") =>
      (await dataOf(`GET /users?${query}`)).map(({ uid }: Json) => uid).includes("bob");

    await act("/users/bob/connect");
    await chat("DELETE /users/bob");
    const [{ status }] = await dataOf("GET /users?onlyDeactivated=true");
    expect(status).toBe("offline");
    const whileOut = {
      read: await codeOf("GET /users/bob"),
      created: await codeOf("POST /users", { uid: "bob", name: "Bob" }),
      acting: await codeOf("GET /messages", "bob"),
      messaged: await codeOf("POST /messages", { ...toBob, data: { text: "Hi" } }),
      listed: [await lists(), await lists("onlyDeactivated=true")],
      message: (await chat(`GET /messages/${message.id}`)).status,
    };
    const back = await dataOf("PUT /users", { uidsToActivate: ["bob"] });
    const isBack = await lists();
    expect((await act("/users/bob/connect")).data.userPresenceChanged).toBe(true);
    await chat("DELETE /users/bob", { permanent: true });

    expect(whileOut).toEqual({
      read: "ERR_UID_NOT_FOUND",
      created: "ERR_UID_ALREADY_EXISTS",
      acting: "ERR_UID_NOT_FOUND",
      messaged: "ERR_UID_NOT_FOUND",
      listed: [false, true],
      message: 200,
    });
    expect([back, isBack]).toEqual([{ nonDeactivatedUids: [] }, true]);
    expect((await chat(`GET /messages/${message.id}`)).status).toBe(404);
    expect((await chat("POST /users", { uid: "bob", name: "Bob" })).status).toBe(200);
  });

  it("are counted on request", async () => {
    const answer = await chat("GET /users?count=true&searchKey=b");

    expect(answer.body).toEqual({ data: { count: 1 } });
  });

  it("leave nothing after a permanent deletion", async () => {
    const platform = await startPlatform();
    await chat("POST /users", { uid, name: "Leaver" });
    const { authToken } = await dataOf(`POST /users/${uid}/auth_tokens`);
    const tokens = { authToken, platform: "fcm_android", fcmToken: "f", providerId: "p", timezone: "UTC" };
    const hook = "http://127.0.0.1:9/";
    const inLobby = { receiver: "lobby", receiverType: "group", data: { text: "Hi all" } };
    const { id } = await dataOf("POST /messages", "bob", inLobby);
    await chat("POST /groups/lobby/members", { participants: [uid] });
    const mine = await dataOf("POST /messages", uid, inLobby);
    const conversations = [{ type: "group", id: "lobby", until: Date.now() + 60_000 }];
    const muted = [{ type: "oneOnOne", id: uid, until: Date.now() + 60_000 }];
    const own = { as: uid };
    const steps: [string, CallOptions][] = [
      ["POST /bots", { body: { uid, webhookURL: hook, useBasicAuth: true, username: "u", password: "p" } }],
      ["POST /notifications/push/v1/tokens", { body: tokens }],
      ["PATCH /notifications/v1/contact-details", { ...own, body: { email: "leaver@example.com" } }],
      [`PATCH /notifications/v1/preferences?uid=${uid}`, { body: { usePrivacyTemplate: true } }],
      [`PUT /notifications/v1/preferences/mute?uid=${uid}`, { body: { conversations } }],
      ["PUT /notifications/v1/preferences/mute?uid=bob", { body: { conversations: muted } }],
      ["PUT /conversations/pinned", { body: { pinnedConversations: [{ uid }] } }],
      [`POST /users/${uid}/friends`, { body: { accepted: ["bob"] } }],
      ["POST /users/support/blockedusers", { body: { blockedUids: [uid] } }],
      [`POST /messages/${id}/reactions/x`, own],
      [`POST /messages/${id}/save`, own],
      [`PATCH /messages/${id}/interacted`, { ...own, body: { interactions: ["button"] } }],
      [`POST /messages/${mine.id}/reactions/y`, { as: "bob" }],
      ["POST /messages", { ...own, body: { ...toBob, data: { text: "Hi" } } }],
    ];
    await act(`/users/${uid}/connect`);
    for (const [line, options] of steps)
      expect([line, (await chatWith(line, options)).body.error]).toEqual([line, undefined]);

    await chat(`DELETE /users/${uid}`, { permanent: true });

    // Memberships and messages of other users, and deliveries, may name the user.
    const { db } = platform.services;
    const tables = db.values<string>("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const left = tables.filter((table) => {
      const rows = db.rows<object>(`SELECT * FROM ${table}`);
      return !["deliveries", "messages"].includes(table) && JSON.stringify(rows).includes(uid);
    });
    const orphans = db.values<number>("SELECT message_id FROM reactions");
    expect({ left, orphans }).toEqual({ left: [], orphans: [] });
    expect((await dataOf(`GET /messages/${id}`)).data).not.toHaveProperty("reactions");
    expect(await dataOf("GET /messages?searchKey=Hi%20all")).toHaveLength(1);
    await chat("POST /users", { uid, name: "Successor" });
    expect(await codeOf(`GET /bots/${uid}`)).toBe("ERR_BOT_NOT_FOUND");
  });
});

const uid = "leaver";
const toBob = { receiver: "bob", receiverType: "user" };
