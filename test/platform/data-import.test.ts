import { describe, expect, it } from "vitest";
import { chat, codeOf, dataOf, idle, type Json, receive, startAt, startPlatform } from "./helpers.ts";

const zoe = { uid: "zoe", name: "Zoe" };

describe("data import", () => {
  it("creates users, groups, members and messages with their times, without events", async () => {
    await startAt(1_700_000_000_000);
    const receiver = await receive(["message_sent", "group_created", "group_member_added"]);

    const users = await imports("users", {
      ann: { uid: "ann", name: "Ann", createdAt: "1600000000", lastActiveAt: 1_600_000_500 },
    });
    const groups = await imports("groups", {
      club: { guid: "club", name: "Club", type: "public", owner: "ann", createdAt: 1_600_000_000 },
    });
    const members = await imports("members", {
      club_member_ann: {
        memberId: "club_member_ann",
        guid: "club",
        uid: "ann",
        scope: "admin",
        joinedAt: 1_600_000_100,
      },
    });
    const messages = await imports("messages", {
      m1: {
        muid: "m1",
        sender: "ann",
        receiverType: "group",
        receiver: "club",
        category: "message",
        type: "text",
        data: { text: "old ✓" },
        sentAt: 1_690_000_200,
        readAt: 1_690_000_300,
      },
    });
    await idle();

    expect(users.data.ann.data).toMatchObject({ createdAt: 1_600_000_000, role: "default" });
    expect(groups.data.club.data).toMatchObject({ createdAt: 1_600_000_000, owner: "ann" });
    expect(members.data.club_member_ann.data).toMatchObject({ scope: "admin", joinedAt: 1_600_000_100 });
    expect(messages.data.m1.data).toMatchObject({ sentAt: 1_690_000_200, readAt: 1_690_000_300 });
    expect((await dataOf("GET /groups/club")).membersCount).toBe(1);
    expect(await dataOf("GET /groups/club/messages")).toHaveLength(1);
    expect(receiver.received).toEqual([]);
  });

  it.each([
    ["read", { readAt: 1_800_000_300 }, 1, { readAt: 1_800_000_300, deliveredAt: 1_800_000_300 }],
    ["delivered", { deliveredAt: 1_800_000_200 }, 2, { deliveredAt: 1_800_000_200 }],
  ])("keeps a message %s for its receiver", async (_case, times, unread, shown) => {
    await startAt(1_800_000_500_000);
    const one = { ...message("m1"), ...times, sentAt: 1_800_000_100 };
    const { id } = (await imports("messages", { m1: one })).data.m1.data;

    await imports("messages", { m2: { ...message("m2"), sentAt: 1_800_000_400 } });

    const [conversation] = await dataOf("GET /conversations", "bob");
    expect(Number(conversation.unreadMessageCount)).toBe(unread);
    expect(await dataOf(`GET /messages/${id}`, "alice")).toMatchObject(shown);
  });

  it("creates a message's inline entities", async () => {
    const details = (uid: string) => ({ uid, name: uid });

    const answer = await imports("messages", {
      m1: {
        ...message("m1"),
        sender: "ann",
        receiver: "ben",
        senderUserDetails: details("ann"),
        receiverUserDetails: details("ben"),
        mentionedUserDetails: { eve: details("eve") },
        data: { text: "hi <@uid:eve>" },
      },
    });

    expect(answer.data.m1.data.conversationId).toBe("ann_user_ben");
    expect(answer.data.m1.data.data.mentions.eve.name).toBe("eve");
  });

  it("continues after a failed entity", async () => {
    const answer = await imports("users", {
      ann: { uid: "ann", name: "Ann" },
      bad: { uid: "other", name: "Bad" },
      king: { uid: "king", name: "King", role: "king" },
      text: "Ann",
    });

    const codes = Object.values<Json>(answer.data).map((item) => item.error?.code);
    expect(answer.status).toBe(200);
    expect(codes).toEqual([
      undefined,
      "ERR_BAD_REQUEST",
      "ERR_ROLE_NOT_FOUND",
      "ERR_IMPORT_INVALID_USER_FORMAT",
    ]);
  });

  it.each([
    ["messages", { m1: { ...message("m1"), sender: "zoe" } }, "ERR_UID_NOT_FOUND"],
    ["groups", { a: { guid: "a", name: "A", type: "password" } }, "ERR_EMPTY_GROUP_PASS"],
    ["groups", { a: { guid: "a", name: "A", type: "public", owner: "zoe" } }, "ERR_UID_NOT_FOUND"],
    [
      "members",
      { lobby_member_bob: { memberId: "lobby_member_bob", guid: "lobby", uid: "bob", joinedAt: 5 } },
      "ERR_IMPORT_INVALID_JOINEDAT",
    ],
  ])("refuses an entity of %s: %j", async (entities, body, code) => {
    const answer = await imports(entities, body);

    expect(Object.values<Json>(answer.data)[0].error.code).toBe(code);
  });

  it.each([
    ["messages", { m1: message("m1") }, "ERR_IMPORT_MUID_ALREADY_EXISTS"],
    ["users", { zoe }, "ERR_UID_ALREADY_EXISTS"],
    ["groups", { den: { guid: "den", name: "Den", type: "public" } }, "ERR_GUID_ALREADY_EXISTS"],
    [
      "members",
      { lobby_member_zoe: { memberId: "lobby_member_zoe", guid: "lobby", uid: "zoe", userDetails: zoe } },
      "ERR_ALREADY_JOINED",
    ],
  ])("answers a repeated row of %s with its own code", async (entities, rows, code) => {
    const first = await imports(entities, rows);
    const again = await imports(entities, rows);

    expect(Object.values<Json>(first.data)[0].success).toBe(true);
    expect(Object.values<Json>(again.data)[0].error.code).toBe(code);
  });

  it("accepts old messages if the plan keeps them without limit", async () => {
    await startPlatform({ switches: { messageRetentionDays: 0 } });

    const answer = await imports("messages", { m1: { ...message("m1"), sentAt: 1_600_000_000 } });

    expect(answer.data.m1.success).toBe(true);
  });

  it.each([
    ["too old", { sentAt: 1_600_000_000 }],
    ["empty", { data: { text: "" } }],
  ])("ends at a message that is %s, and keeps those before it", async (_, fields) => {
    const answer = await imports("messages", {
      m1: message("m1"),
      m2: { ...message("m2"), ...fields },
      m3: message("m3"),
    });
    const kept = await dataOf("GET /messages");

    expect(answer.code).toBe("ERR_EXCEPTION");
    expect(kept.map(({ muid }: Json) => muid)).toEqual(["m1"]);
  });

  it("bans an imported member instead of adding them", async () => {
    const body = { memberId: "lobby_member_zoe", guid: "lobby", uid: "zoe", isBanned: true };

    await imports("members", {
      lobby_member_zoe: { ...body, userDetails: { uid: "zoe", name: "Zoe" } },
    });

    expect(await dataOf("GET /groups/lobby/members")).toHaveLength(3);
    expect(await dataOf("GET /groups/lobby/bannedusers")).toHaveLength(1);
  });

  it("separates members and banned users, and answers a repeated ban", async () => {
    await chat("POST /groups/lobby/bannedusers/alice");
    const row = (fields: Json) => ({
      lobby_member_alice: { memberId: "lobby_member_alice", guid: "lobby", uid: "alice", ...fields },
    });
    const results = [];

    for (const fields of [{}, { isBanned: true }]) {
      results.push((await imports("members", row(fields))).data.lobby_member_alice);
    }
    results.push((await dataOf("POST /groups/lobby/members", { admins: ["alice"] })).admins.alice);

    const codes = results.map(({ error }: Json) => error?.code);
    expect(codes).toEqual(["ERR_BANNED_GROUPMEMBER", "ERR_ALREADY_BANNED", "ERR_BANNED_GROUPMEMBER"]);
    expect(await codeOf("PUT /groups/lobby", { owner: "alice" })).toBe("ERR_BANNED_GROUPMEMBER");
    expect(await dataOf("GET /groups/lobby")).toMatchObject({ owner: "support", membersCount: 2 });
  });

  it("accepts a map of at most 50", async () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x${index}`, {}]));

    expect((await imports("users", many)).code).toBe("ERR_BAD_REQUEST");
  });
});

function imports(entities: string, body: Json) {
  return chat(`POST /data_import/${entities}`, { [entities]: body });
}

function message(muid: string): Json {
  return {
    muid,
    sender: "alice",
    receiverType: "user",
    receiver: "bob",
    data: { text: "x" },
    sentAt: Math.floor(Date.now() / 1_000) - 60,
  };
}
