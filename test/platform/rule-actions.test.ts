import { describe, expect, it } from "vitest";
import { chat, codeOf, dataOf, idle, type Json, receive, sendText, startPlatform } from "./helpers.ts";

const addRule = async (action: string[], id = "r") =>
  await chat("POST /moderation/rules", {
    id,
    name: "R",
    action,
    conditions: [{ category: "word", value: ["bad"] }],
  });

describe("a rule's actions", () => {
  it.each([
    [["flagMessage"], { flagged: 1 }],
    [["kick"], { isMember: false }],
    [["ban"], { isMember: false, banned: 1 }],
    [["deactivate"], { isActive: false }],
    [["flagMessage", "blockMessage", "ban"], { flagged: 1, blocked: 1, isMember: false, banned: 1 }],
  ])("%s", async (action, changes) => {
    await addRule(action);

    await sendText("bad", "alice", "lobby");

    const count = async (path: string) => (await dataOf(`GET ${path}`)).length;
    expect({
      flagged: await count("/moderation/flagged-messages"),
      blocked: await count("/moderation/blocked-messages"),
      isMember: (await dataOf("GET /groups/lobby/members")).some(({ uid }: Json) => uid === "alice"),
      banned: await count("/groups/lobby/bannedusers"),
      isActive: (await chat("GET /users/alice")).status === 200,
    }).toEqual({ flagged: 0, blocked: 0, isMember: true, banned: 0, isActive: true, ...changes });
  });

  it("appear with an approved message only if a filter excluded the rule", async () => {
    const { received } = await receive(["moderation_engine_approved"]);
    await addRule(["flagMessage"]);
    await sendText("bad", "alice", "lobby");
    const filter = { type: "sender", entity: "user", operand: "uid", operator: "equals", value: "bob" };
    const conditions = [{ category: "word", value: ["bad"] }];
    await chat("PUT /moderation/rules/r", { action: ["flagMessage"], conditions, filters: [filter] });
    await sendText("bad", "alice", "lobby");
    await idle();

    const entries = received.map(({ json }) => json.data.moderation);
    expect(entries).toEqual([undefined, [expect.objectContaining({ filter: expect.anything() })]]);
  });

  it.each([
    ["a user with a group's id, without effect on the group", "alice", "user", []],
    ["a group, except on its owner", "support", "group", []],
    ["a group, on its other members", "bob", "group", ["bob"]],
  ])("kick and ban act in %s", async (_, as, receiverType, gone) => {
    await chat("POST /users", { uid: "lobby", name: "Lobby" });
    const uidsOf = async (path: string) =>
      (await dataOf(`GET /groups/lobby/${path}`)).map(({ uid }: Json) => uid).sort();
    const before = await uidsOf("members");
    for (const action of ["kick", "ban"]) await addRule([action], action);

    await chat("POST /messages", as, { receiver: "lobby", receiverType, data: { text: "bad" } });

    expect(await uidsOf("members")).toEqual(before.filter((uid: string) => !gone.includes(uid)));
    expect(await uidsOf("bannedusers")).toEqual(gone);
  });

  it("deactivate stops what the user sends to several receivers", async () => {
    await addRule(["deactivate"]);
    const multipleReceivers = { uids: ["bob", "support"] };

    const { data } = await chat("POST /messages", "alice", { data: { text: "bad" }, multipleReceivers });

    expect([data.uids.bob.success, data.uids.support.error?.code]).toEqual([true, "ERR_UID_NOT_FOUND"]);
  });

  it("ban keeps a bot out, which otherwise writes to every group", async () => {
    await chat("POST /bots", { uid: "bob", webhookURL: "http://127.0.0.1:9" });
    await addRule(["ban"]);
    const write = async (text: string) => {
      const body = { receiver: "lobby", receiverType: "group", data: { text } };
      return await codeOf("POST /bots/bob/messages", body);
    };

    expect([await write("good"), await write("bad"), await write("good")]).toEqual([
      ...[undefined, undefined],
      "ERR_BANNED_GROUPMEMBER",
    ]);
  });

  const words = { data: { text: "bad" } };
  it.each([
    ["support", words, ["support"]],
    ["bob", words, ["bob"]],
    ["support", { tags: ["x"] }, []],
    ["bob", { tags: ["x"] }, []],
    ["support", { data: { text: "good and bad", metadata: { is: "read" } } }, []],
  ])("act on the user who wrote the bad words: %s edits %j", async (editor, edit, gone) => {
    await chat("PUT /groups/lobby", { owner: "alice" });
    await chat("PUT /groups/lobby/members/support", { scope: "moderator" });
    const { received } = await receive(["moderation_engine_approved", "moderation_engine_blocked"]);
    const { id } = await sendText("good and bad", "bob", "lobby");
    await addRule(["kick"]);

    await chat(`PUT /messages/${id}`, editor, edit);
    await idle();

    const left = (await dataOf("GET /groups/lobby/members")).map(({ uid }: Json) => uid);
    expect(["alice", "bob", "support"].filter((uid) => !left.includes(uid))).toEqual(gone);
    expect(received).toHaveLength(gone.length);
  });

  it.each([[["nuke"]], [["blockMessage", "nuke"]], [[]]])(
    "must be known, and at least one: not %j",
    async (action) => {
      expect((await addRule(action)).code).toBe("ERR_BAD_REQUEST");
      await addRule(["blockMessage"]);
      expect(await codeOf("PUT /moderation/rules/r", { action })).toBe("ERR_BAD_REQUEST");
    },
  );

  it("block makes the receiver block the sender, and a flagged message is delivered", async () => {
    const { received } = await receive(["message_sent", "moderation_engine_approved", "user_blocked"]);
    await addRule(["flagMessage", "block"]);

    await sendText("bad");
    await sendText("bad");
    await idle();

    const blocked = await dataOf("GET /users/bob/blockedusers");
    expect(blocked.map(({ uid }: Json) => uid)).toEqual(["alice"]);
    const sent = ["message_sent", "moderation_engine_approved"];
    expect(received.map(({ json }) => json.trigger)).toEqual([...sent, "user_blocked", ...sent]);
    expect(received[2]?.json.data).toMatchObject({ by: { uid: "bob" }, users: { alice: { uid: "alice" } } });
  });

  it.each([
    [true, "disapproved"],
    [false, undefined],
  ])("apply to custom messages by the switch: %s", async (customMessagesModerated, status) => {
    await startPlatform({ switches: { customMessagesModerated } });
    await addRule(["blockMessage"]);
    const custom = { category: "custom", type: "poll", data: { customData: { question: "bad" } } };

    const { data } = await chat("POST /messages", "alice", {
      receiver: "bob",
      receiverType: "user",
      ...custom,
    });

    expect(data.data.moderation?.status).toBe(status);
  });

  it("have a description of 255 characters at most", async () => {
    const create = async (length: number) =>
      await codeOf("POST /moderation/rules", { name: `r${length}`, description: "d".repeat(length) });

    expect([await create(255), await create(256)]).toEqual([undefined, "ERR_BAD_REQUEST"]);
  });

  it("judge an edit again: a blocked message disappears from its receiver", async () => {
    const { received } = await receive(["message_edited", "moderation_engine_blocked"]);
    await addRule(["blockMessage"]);
    const { id } = await sendText("good");

    await chat(`PUT /messages/${id}`, "alice", { data: { text: "bad" } });
    await idle();

    const seenBy = async (uid: string) => (await dataOf("GET /messages", uid)).length;
    const [record] = await dataOf("GET /moderation/blocked-messages");
    expect(received.map(({ json }) => [json.trigger, json.data.message.id])).toEqual([
      ["moderation_engine_blocked", id],
    ]);
    expect([record.message.id, record.message.data.text]).toEqual([id, "bad"]);
    expect([await seenBy("alice"), await seenBy("bob")]).toEqual([1, 0]);
    expect((await dataOf("GET /messages?unread=true&count=true", "bob")).count).toBe(0);
  });
});
