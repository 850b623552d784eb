import { describe, expect, it } from "vitest";
import { chat, idle, type Json, receive, sendText, startPlatform } from "./helpers.ts";

const addRule = async (action: string[], id = "r") =>
  await chat("POST /moderation/rules", {
    ...{ id, name: "R", action, conditions: [{ category: "word", value: ["bad"] }] },
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

    const count = async (path: string) => (await chat(`GET ${path}`)).data.length;
    expect({
      flagged: await count("/moderation/flagged-messages"),
      blocked: await count("/moderation/blocked-messages"),
      isMember: (await chat("GET /groups/lobby/members")).data.some(({ uid }: Json) => uid === "alice"),
      banned: await count("/groups/lobby/bannedusers"),
      isActive: (await chat("GET /users/alice")).status === 200,
    }).toEqual({ flagged: 0, blocked: 0, isMember: true, banned: 0, isActive: true, ...changes });
  });

  it.each([
    ["a user of a group's id, of whom the group knows nothing", "alice", "user", []],
    ["a group, whose owner stays", "support", "group", []],
    ["a group, whose other members go", "bob", "group", ["bob"]],
  ])("kick and ban act in %s", async (_, as, receiverType, gone) => {
    await chat("POST /users", { uid: "lobby", name: "Lobby" });
    const uidsOf = async (path: string) =>
      (await chat(`GET /groups/lobby/${path}`)).data.map(({ uid }: Json) => uid).sort();
    const before = await uidsOf("members");
    for (const action of ["kick", "ban"]) await addRule([action], action);

    await chat("POST /messages", as, { receiver: "lobby", receiverType, data: { text: "bad" } });

    expect(await uidsOf("members")).toEqual(before.filter((uid: string) => !gone.includes(uid)));
    expect(await uidsOf("bannedusers")).toEqual(gone);
  });

  it.each([
    ["support", ["bob"]],
    ["bob", []],
  ])("act on the user who wrote the bad words: %s edits", async (editor, members) => {
    await chat("PUT /groups/lobby", { owner: "alice" });
    await chat("PUT /groups/lobby/members/support", { scope: "moderator" });
    const { id } = await sendText("good", "bob", "lobby");
    await addRule(["kick"]);

    await chat(`PUT /messages/${id}`, editor, { data: { text: "bad" } });

    const left = (await chat("GET /groups/lobby/members")).data.map(({ uid }: Json) => uid);
    expect(left).not.toContain(editor);
    expect(left).toEqual(expect.arrayContaining(members));
  });

  it.each([[["nuke"]], [["blockMessage", "nuke"]], [[]]])(
    "are known ones, and some: not %j",
    async (action) => {
      expect((await addRule(action)).code).toBe("ERR_BAD_REQUEST");
      await addRule(["blockMessage"]);
      expect((await chat("PUT /moderation/rules/r", { action })).code).toBe("ERR_BAD_REQUEST");
    },
  );

  it("block makes the receiver block the sender, and a flagged message is delivered", async () => {
    const { received } = await receive(["message_sent", "moderation_engine_approved"]);
    await addRule(["flagMessage", "block"]);

    await sendText("bad");
    await idle();

    const blocked = await chat("GET /users/bob/blockedusers");
    expect(blocked.data.map(({ uid }: Json) => uid)).toEqual(["alice"]);
    expect(received.map(({ json }) => json.trigger)).toEqual(["message_sent", "moderation_engine_approved"]);
  });

  it.each([
    [true, "disapproved"],
    [false, undefined],
  ])("look at custom messages by the switch: %s", async (customMessagesModerated, status) => {
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
      (await chat("POST /moderation/rules", { name: `r${length}`, description: "d".repeat(length) })).code;

    expect([await create(255), await create(256)]).toEqual([undefined, "ERR_BAD_REQUEST"]);
  });

  it("judge an edit again: a blocked one disappears from its receiver", async () => {
    const { received } = await receive(["message_edited", "moderation_engine_blocked"]);
    await addRule(["blockMessage"]);
    const { id } = await sendText("good");

    await chat(`PUT /messages/${id}`, "alice", { data: { text: "bad" } });
    await idle();

    const seenBy = async (uid: string) => (await chat("GET /messages", uid)).data.length;
    const [record] = (await chat("GET /moderation/blocked-messages")).data;
    expect(received.map(({ json }) => [json.trigger, json.data.message.id])).toEqual([
      ["moderation_engine_blocked", id],
    ]);
    expect([record.message.id, record.message.data.text]).toEqual([id, "bad"]);
    expect([await seenBy("alice"), await seenBy("bob")]).toEqual([1, 0]);
    expect((await chat("GET /messages?unread=true&count=true", "bob")).data.count).toBe(0);
  });
});
