import { describe, expect, it } from "vitest";
import { chat, codeOf, dataOf, type Json, sendText, startAt, startPlatform } from "./helpers.ts";

const toBob = { receiver: "bob", receiverType: "user" };

describe("sending a message", () => {
  it("returns the message with snapshots of sender and receiver", async () => {
    await startAt(1_700_000_000_000);
    const fresh = { status: "offline", role: "default", createdAt: 1_700_000_000 };

    expect(
      await dataOf("POST /messages", "alice", {
        ...toBob,
        category: "message",
        type: "text",
        data: { text: "Héllo 👋", metadata: { key1: "val1" } },
        muid: "mine-1",
        tags: ["first"],
      }),
    ).toEqual({
      id: "1",
      muid: "mine-1",
      conversationId: "alice_user_bob",
      sender: "alice",
      receiverType: "user",
      receiver: "bob",
      category: "message",
      type: "text",
      data: {
        text: "Héllo 👋",
        metadata: { key1: "val1" },
        entities: {
          sender: { entity: { uid: "alice", name: "Alice Nguyen", ...fresh }, entityType: "user" },
          receiver: {
            entity: { uid: "bob", name: "Bob Okafor", ...fresh, conversationId: "alice_user_bob" },
            entityType: "user",
          },
        },
      },
      sentAt: 1_700_000_000,
      updatedAt: 1_700_000_000,
      tags: ["first"],
    });
  });

  it("shows the system as sender without an acting user", async () => {
    expect(
      await dataOf("POST /messages", {
        receiver: "lobby",
        receiverType: "group",
        data: { text: "Welcome" },
      }),
    ).toMatchObject({
      sender: "app_system",
      conversationId: "group_lobby",
      receiver: "lobby",
      data: { entities: { receiver: { entityType: "group", entity: { guid: "lobby", membersCount: 3 } } } },
    });
  });

  it.each([
    ["ERR_EMPTY_RECEIVER", { receiver: "" }],
    ["ERR_INVALID_RECEIVER_TYPE", { receiverType: "room" }],
    ["ERR_UID_NOT_FOUND", { receiver: "nobody" }],
    ["ERR_GUID_NOT_FOUND", { receiver: "nothing", receiverType: "group" }],
    ["ERR_EMPTY_MESSAGE_TEXT", { data: { text: "" } }],
    ["ERR_INVALID_MESSAGE_TEXT", { data: { text: 5 } }],
    ["ERR_INVALID_MESSAGE_DATA", { data: "text" }],
    ["ERR_INVALID_METADATA", { data: { text: "hi", metadata: "no" } }],
    ["ERR_EMPTY_MESSAGE_CATEGORY", { category: "" }],
    ["ERR_INVALID_MESSAGE_CATEGORY", { category: "call" }],
    ["ERR_EMPTY_MESSAGE_TYPE", { type: "" }],
    ["ERR_INVALID_MESSAGE_TYPE", { type: "poem" }],
    ["ERR_EMPTY_CUSTOM_DATA", { category: "custom", type: "location" }],
    ["ERR_EMPTY_MESSAGE_FILE", { type: "image" }],
    ["ERR_BAD_REQUEST", { tags: Array.from({ length: 26 }, String) }],
    ["ERR_BAD_REQUEST", { data: { text: "x".repeat(70_000) } }],
    ["ERR_BAD_REQUEST", { data: { text: "é".repeat(5_200) } }],
  ])("refuses with %s", async (code, change) => {
    const body = { ...toBob, category: "message", type: "text", data: { text: "hi" } };

    expect(await codeOf("POST /messages", "alice", { ...body, ...change })).toBe(code);
  });

  it("sends to several receivers and reports each", async () => {
    const odd = "__proto__";
    await chat("POST /users", { uid: odd, name: "Odd" });
    await chat("POST /groups", { guid: odd, name: "Odd", type: "public", owner: "alice" });
    const answer = await dataOf("POST /messages", "alice", {
      multipleReceivers: { uids: ["bob", "nobody"], guids: ["lobby", odd] },
      data: { text: `hi <@uid:${odd}>` },
    });
    expect(Object.keys(answer.guids)).toEqual(["lobby", odd]);
    expect(Object.keys(answer.uids.bob.data.data.mentions)).toEqual([odd]);

    expect(answer).toMatchObject({
      uids: { bob: { success: true, data: { id: "1" } }, nobody: { success: false } },
      guids: { lobby: { success: true, data: { conversationId: "group_lobby" } } },
    });
  });
});

describe("listing messages", () => {
  it("pages forwards and backwards with the returned cursor", async () => {
    for (let number = 1; number <= 5; number += 1) await sendText(`m${number}`);

    const first = await chat("GET /messages?limit=2");
    const { affix, id } = first.body.meta.next;
    const second = await chat(`GET /messages?limit=2&affix=${affix}&id=${id}`);
    const newest = await chat("GET /messages?limit=2&affix=prepend");
    const older = await chat(`GET /messages?limit=2&affix=prepend&id=${newest.body.meta.next.id}`);

    const lists = [first, second, newest, older].map(({ data }) => data.map(({ id }: Json) => id));
    expect(lists).toEqual([
      ["1", "2"],
      ["3", "4"],
      ["4", "5"],
      ["2", "3"],
    ]);
    expect(first.body.meta.current).toEqual({ limit: 2, count: 2 });
  });

  it("shows a user only their own conversations", async () => {
    await sendText("for bob");
    await sendText("for all", "alice", "lobby");
    await chat("POST /users", { uid: "carol", name: "Carol" });

    const counts = await Promise.all(
      ["bob", "support", "carol"].map(async (as) => (await chat("GET /messages", as)).data.length),
    );

    expect(counts).toEqual([2, 1, 0]);
  });

  it("filters by tags and shows tags only on request", async () => {
    await sendText("plain");
    await sendText("tagged", "alice", "bob", { tags: ["a", "b"] });

    const hidden = await dataOf("GET /messages?tags=b,z");
    expect((await dataOf("GET /messages?tags=z&tags=a&withTags=true"))[0].tags).toEqual(["a", "b"]);

    expect(hidden).toHaveLength(1);
    expect(hidden[0].tags).toBeUndefined();
  });

  it.each([
    ["searchKey=HELLO", 1],
    ["sender=bob", 1],
    ["senders=bob,alice", 3],
    ["receiverType=group", 1],
    ["category=custom", 0],
    ["types=text&types=image", 3],
    ["conversationId=alice_user_bob", 2],
    ["toTimestamp=1", 3],
    ["sentAt=1700000010", 1],
  ])("filters by %s", async (query, count) => {
    const clock = await startAt(1_700_000_000_000);
    await sendText("Hello there");
    await clock.advance(10_000);
    await sendText("back", "bob", "alice");
    await clock.advance(10_000);
    await sendText("all", "alice", "lobby");

    expect(await dataOf(`GET /messages?${query}`)).toHaveLength(count);
  });

  it("pages through the messages of two users", async () => {
    for (let number = 1; number <= 3; number += 1) await sendText(`m${number}`);
    await sendText("elsewhere", "alice", "support");

    const answer = await chat("GET /users/bob/messages?perPage=2&page=2", "alice");

    expect(answer.data.map(({ id }: Json) => id)).toEqual(["3"]);
    expect(answer.body.meta.pagination).toEqual({
      total: 3,
      count: 1,
      per_page: 2,
      current_page: 2,
      total_pages: 2,
    });
  });

  it.each(["limit=0", "limit=1001", "limit=x", "affix=middle"])("refuses %s", async (query) => {
    expect(await codeOf(`GET /messages?${query}`)).toBe("ERR_BAD_REQUEST");
  });
});

describe("changing a message", () => {
  it.each([
    ["merge", { text: "after", metadata: { order: 7 } }],
    ["replace", { text: "after" }],
  ] as const)("edits it by the switch messageChanges: %s", async (messageChanges, content) => {
    await startPlatform({ switches: { messageChanges } });
    const before = { text: "before", metadata: { order: 7 } };
    const { id } = await dataOf("POST /messages", "alice", { ...toBob, tags: ["t6"], data: before });

    await chat(`PUT /messages/${id}`, "alice", { data: { text: "after" } });
    await chat(`PUT /messages/${id}`, "alice", { tags: ["t7"] });

    const { tags, data: stored } = await dataOf(`GET /messages/${id}`);
    const { entities, ...data } = stored;
    expect([tags, data]).toEqual([["t7"], content]);
    expect(entities.sender.entity.uid).toBe("alice");
  });

  it("keeps a deleted message with its content, refuses to change it, and can purge it", async () => {
    const message = await sendText("secret");

    expect((await dataOf(`DELETE /messages/${message.id}`, "alice")).data.action).toBe("deleted");
    const stored = await dataOf(`GET /messages/${message.id}`);
    const again = await codeOf(`DELETE /messages/${message.id}`, "alice");
    const edited = await codeOf(`PUT /messages/${message.id}`, "alice", { data: { text: "open" } });
    expect((await dataOf(`DELETE /messages/${message.id}`, { permanent: true })).success).toBe(true);
    const gone = await codeOf(`GET /messages/${message.id}`);
    const next = await sendText("next");

    expect(Number(next.id)).toBeGreaterThan(Number(message.id));
    expect(stored).toMatchObject({ deletedBy: "alice", deletedAt: expect.any(Number) });
    expect(stored.data.text).toBe("secret");
    expect([again, edited, gone]).toEqual(Array(3).fill("ERR_MESSAGE_ID_NOT_FOUND"));
  });

  it("lets a group's moderators change and delete its members' messages", async () => {
    await chat("POST /groups", { guid: "den", name: "Den", type: "public", owner: "alice" });
    await chat("POST /groups/den/members", { moderators: ["support"], participants: ["bob"] });
    const message = await sendText("rude", "bob", "den");
    const own = await sendText("mine", "alice", "den");

    expect(
      (await dataOf(`PUT /messages/${message.id}`, "support", { data: { text: "kind" } })).data.entities.on
        .entity.editedBy,
    ).toBe("support");
    expect((await dataOf(`DELETE /messages/${message.id}`, "alice")).data.entities.on.entity.deletedBy).toBe(
      "alice",
    );
    expect(await codeOf(`DELETE /messages/${own.id}`, "bob")).toBe("ERR_MESSAGE_NOT_A_SENDER");

    await chat("PUT /groups/den/members/alice", { scope: "participant" });
    const byOwner = [
      "POST /messages/{id}/pin",
      "PUT /messages/{id}",
      "PUT /groups/den",
      "DELETE /groups/den",
    ];
    const last = await sendText("rude", "bob", "den");
    for (const line of byOwner) {
      const answer = await chat(line.replace("{id}", last.id), "alice", {
        data: { text: "kind" },
        name: "Den",
      });
      expect([line, answer.status]).toEqual([line, 200]);
    }
  });

  it("allows at most 10 mentions and 25 different reactions of 45 characters", async () => {
    const mention = (count: number) => Array.from({ length: count }, (_, n) => `<@uid:u${n}>`).join(" ");
    const message = await sendText(`${mention(10)} <@uid:u1>`);
    expect(await codeOf("POST /messages", "alice", { ...toBob, data: { text: mention(11) } })).toBe(
      "ERR_BAD_REQUEST",
    );
    const react = async (reaction: string, as = "alice") =>
      await codeOf(`POST /messages/${message.id}/reactions/${reaction}`, as);
    for (let n = 0; n < 25; n += 1) expect(await react(`r${n}`)).toBeUndefined();
    expect(await react("r25")).toBe("ERR_BAD_REQUEST");
    expect(await react("r24", "bob")).toBeUndefined();
    expect(await react("x".repeat(46))).toBe("ERR_BAD_REQUEST");
  });

  it("takes mentions from the text, and reactions only from reacting users", async () => {
    const given = { mentions: { support: { uid: "support" } }, reactions: [{ reaction: "x", count: 9 }] };

    const data = await sendText("<@uid:bob>", "alice", "bob", { data: { text: "<@uid:bob>", ...given } });
    await chat(`PUT /messages/${data.id}`, "alice", { data: { text: "none", ...given } });
    const edited = await dataOf(`GET /messages/${data.id}`);

    expect([Object.keys(data.data.mentions), data.data.reactions]).toEqual([["bob"], undefined]);
    expect([edited.data.mentions, edited.data.reactions]).toEqual([undefined, undefined]);
  });

  it.each([
    [
      "ERR_EMPTY_MESSAGE_FILE",
      { type: "image", data: { attachments: [{ url: "https://x.example/a.png" }] } },
      { attachments: [] },
    ],
    [
      "ERR_EMPTY_MESSAGE_FILE",
      { type: "file", data: { attachments: [{ url: "https://x.example/a" }] } },
      { attachments: null },
    ],
    [
      "ERR_EMPTY_CUSTOM_DATA",
      { category: "custom", type: "t", data: { customData: {} } },
      { customData: null },
    ],
  ])("refuses an edit to an invalid message: %s", async (code, message, data) => {
    const { id } = await dataOf("POST /messages", "alice", { ...toBob, ...message });

    expect(await codeOf(`PUT /messages/${id}`, "alice", { data })).toBe(code);
    expect((await chat(`PUT /messages/${id}`, "alice", { tags: ["x"] })).status).toBe(200);
  });

  it("is allowed only to the sender or the app, and reading only to participants", async () => {
    const message = await sendText("mine");
    const body = { data: { text: "yours" } };

    expect(await codeOf(`PUT /messages/${message.id}`, "bob", body)).toBe("ERR_MESSAGE_NOT_A_SENDER");
    expect(await codeOf(`GET /messages/${message.id}`, "support")).toBe("ERR_MESSAGE_NO_ACCESS");
    const system = await dataOf(`PUT /messages/${message.id}`, body);
    expect(await codeOf(`PUT /messages/${system.id}`, body)).toBe("ERR_MESSAGE_ACTION_NOT_ALLOWED");
    expect(system.data.entities.by.entity.uid).toBe("app_system");
  });
});
