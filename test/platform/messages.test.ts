import { describe, expect, it } from "vitest";
import { chat, sendText, startAt, startPlatform } from "./helpers.ts";

describe("sending a message", () => {
  it("answers the message with snapshots of both sides", async () => {
    await startAt(1_700_000_000_000);

    const answer = await chat("POST /messages", "alice", {
      receiver: "bob",
      receiverType: "user",
      category: "message",
      type: "text",
      data: { text: "Héllo 👋", metadata: { key1: "val1" } },
      muid: "mine-1",
      tags: ["first"],
    });

    expect(answer.data).toEqual({
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
          sender: {
            entity: {
              uid: "alice",
              name: "Alice Nguyen",
              status: "offline",
              role: "default",
              createdAt: 1_700_000_000,
            },
            entityType: "user",
          },
          receiver: {
            entity: {
              uid: "bob",
              name: "Bob Okafor",
              status: "offline",
              role: "default",
              createdAt: 1_700_000_000,
              conversationId: "alice_user_bob",
            },
            entityType: "user",
          },
        },
      },
      sentAt: 1_700_000_000,
      updatedAt: 1_700_000_000,
      tags: ["first"],
    });
  });

  it("shows the system as sender when nobody is acted for", async () => {
    const answer = await chat("POST /messages", {
      receiver: "lobby",
      receiverType: "group",
      data: { text: "Welcome" },
    });

    expect(answer.data).toMatchObject({
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
    const body = {
      receiver: "bob",
      receiverType: "user",
      category: "message",
      type: "text",
      data: { text: "hi" },
    };

    const answer = await chat("POST /messages", "alice", { ...body, ...change });

    expect(answer.code).toBe(code);
  });

  it("sends to many and reports each", async () => {
    const odd = "__proto__";
    await chat("POST /users", { uid: odd, name: "Odd" });
    await chat("POST /groups", { guid: odd, name: "Odd", type: "public", owner: "alice" });
    const answer = await chat("POST /messages", "alice", {
      multipleReceivers: { uids: ["bob", "nobody"], guids: ["lobby", odd] },
      data: { text: `hi <@uid:${odd}>` },
    });
    expect(Object.keys(answer.data.guids)).toEqual(["lobby", odd]);
    expect(Object.keys(answer.data.uids.bob.data.data.mentions)).toEqual([odd]);

    expect(answer.data).toMatchObject({
      uids: { bob: { success: true, data: { id: "1" } }, nobody: { success: false } },
      guids: { lobby: { success: true, data: { conversationId: "group_lobby" } } },
    });
  });
});

describe("listing messages", () => {
  it("walks forwards and backwards with the cursor it gave", async () => {
    for (let number = 1; number <= 5; number += 1) await sendText(`m${number}`);

    const first = await chat("GET /messages?limit=2");
    const { affix, id } = first.body.meta.next;
    const second = await chat(`GET /messages?limit=2&affix=${affix}&id=${id}`);
    const newest = await chat("GET /messages?limit=2&affix=prepend");
    const older = await chat(`GET /messages?limit=2&affix=prepend&id=${newest.body.meta.next.id}`);

    const texts = (answer: typeof first) => answer.data.map((message: { id: string }) => message.id);
    expect([texts(first), texts(second), texts(newest), texts(older)]).toEqual([
      ["1", "2"],
      ["3", "4"],
      ["4", "5"],
      ["2", "3"],
    ]);
    expect(first.body.meta.current).toEqual({ limit: 2, count: 2 });
  });

  it("shows a user only the conversations they take part in", async () => {
    await sendText("for bob");
    await sendText("for all", "alice", "lobby");
    await chat("POST /users", { uid: "carol", name: "Carol" });

    const counts = await Promise.all(
      ["bob", "support", "carol"].map(async (as) => (await chat("GET /messages", as)).data.length),
    );

    expect(counts).toEqual([2, 1, 0]);
  });

  it("filters by tags and shows tags only when asked", async () => {
    await sendText("plain");
    const body = { receiver: "bob", receiverType: "user", data: { text: "tagged" }, tags: ["a", "b"] };
    await chat("POST /messages", "alice", body);

    const hidden = await chat("GET /messages?tags=b,z");
    const shown = await chat("GET /messages?tags=z&tags=a&withTags=true");

    expect(hidden.data).toHaveLength(1);
    expect(hidden.data[0].tags).toBeUndefined();
    expect(shown.data[0].tags).toEqual(["a", "b"]);
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

    const answer = await chat(`GET /messages?${query}`);

    expect(answer.data).toHaveLength(count);
  });

  it("pages through the messages of two users", async () => {
    for (let number = 1; number <= 3; number += 1) await sendText(`m${number}`);
    await sendText("elsewhere", "alice", "support");

    const answer = await chat("GET /users/bob/messages?perPage=2&page=2", "alice");

    expect(answer.data.map((message: { id: string }) => message.id)).toEqual(["3"]);
    expect(answer.body.meta.pagination).toEqual({
      total: 3,
      count: 1,
      per_page: 2,
      current_page: 2,
      total_pages: 2,
    });
  });

  it.each(["limit=0", "limit=1001", "limit=x", "affix=middle"])("refuses %s", async (query) => {
    const answer = await chat(`GET /messages?${query}`);

    expect([answer.status, answer.code]).toEqual([400, "ERR_BAD_REQUEST"]);
  });
});

describe("changing a message", () => {
  it.each([
    ["merge", { text: "after", metadata: { order: 7 } }],
    ["replace", { text: "after" }],
  ] as const)("is edited by the switch messageChanges: %s", async (messageChanges, content) => {
    await startPlatform({ switches: { messageChanges } });
    const sent = { receiver: "bob", receiverType: "user", tags: ["t6"] };
    const before = { text: "before", metadata: { order: 7 } };
    const { id } = (await chat("POST /messages", "alice", { ...sent, data: before })).data;

    await chat(`PUT /messages/${id}`, "alice", { data: { text: "after" } });
    await chat(`PUT /messages/${id}`, "alice", { tags: ["t7"] });

    const { entities, ...data } = (await chat(`GET /messages/${id}`)).data.data;
    expect(data).toEqual(content);
    expect(entities.sender.entity.uid).toBe("alice");
  });

  it("answers an edit with the action message around the edited one", async () => {
    const message = await sendText("before");

    const answer = await chat(`PUT /messages/${message.id}`, "alice", {
      data: { text: "after" },
      tags: ["t6"],
    });
    const stored = await chat(`GET /messages/${message.id}`);

    expect(answer.data).toMatchObject({
      category: "action",
      type: "message",
      data: { action: "edited" },
    });
    expect(answer.data.data.entities.on.entity).toEqual(stored.data);
    expect(stored.data).toMatchObject({ data: { text: "after" }, editedBy: "alice", tags: ["t6"] });
  });

  it("keeps a deleted message with its content, refuses to change it, and can purge it", async () => {
    const message = await sendText("secret");

    const answer = await chat(`DELETE /messages/${message.id}`, "alice");
    const stored = await chat(`GET /messages/${message.id}`);
    const again = await chat(`DELETE /messages/${message.id}`, "alice");
    const edited = await chat(`PUT /messages/${message.id}`, "alice", { data: { text: "open" } });
    const purged = await chat(`DELETE /messages/${message.id}`, { permanent: true });
    const gone = await chat(`GET /messages/${message.id}`);
    const next = await sendText("next");

    expect(Number(next.id)).toBeGreaterThan(Number(message.id));
    expect(answer.data.data.action).toBe("deleted");
    expect(stored.data).toMatchObject({ deletedBy: "alice", deletedAt: expect.any(Number) });
    expect(stored.data.data.text).toBe("secret");
    expect([again.code, edited.code, gone.code]).toEqual(Array(3).fill("ERR_MESSAGE_ID_NOT_FOUND"));
    expect(purged.data.success).toBe(true);
  });

  it("lets a group's moderators change and delete what its members wrote", async () => {
    await chat("POST /groups", { guid: "den", name: "Den", type: "public", owner: "alice" });
    await chat("POST /groups/den/members", { moderators: ["support"], participants: ["bob"] });
    const message = await sendText("rude", "bob", "den");
    const own = await sendText("mine", "alice", "den");

    const edited = await chat(`PUT /messages/${message.id}`, "support", { data: { text: "kind" } });
    const deleted = await chat(`DELETE /messages/${message.id}`, "alice");
    const refused = await chat(`DELETE /messages/${own.id}`, "bob");

    expect(edited.data.data.entities.on.entity).toMatchObject({
      editedBy: "support",
      data: { text: "kind" },
    });
    expect(deleted.data.data.entities.on.entity.deletedBy).toBe("alice");
    expect(refused.code).toBe("ERR_MESSAGE_NOT_A_SENDER");

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

  it("mentions at most 10 users, and has at most 25 different reactions of 45 characters", async () => {
    const mention = (count: number) => Array.from({ length: count }, (_, n) => `<@uid:u${n}>`).join(" ");
    const message = await sendText(`${mention(10)} <@uid:u1>`);
    const tooMany = await chat("POST /messages", "alice", {
      receiver: "bob",
      receiverType: "user",
      data: { text: mention(11) },
    });
    const react = async (reaction: string, as = "alice") =>
      (await chat(`POST /messages/${message.id}/reactions/${reaction}`, as)).code;
    for (let n = 0; n < 25; n += 1) expect(await react(`r${n}`)).toBeUndefined();

    expect(tooMany.code).toBe("ERR_BAD_REQUEST");
    expect(await react("r25")).toBe("ERR_BAD_REQUEST");
    expect(await react("r24", "bob")).toBeUndefined();
    expect(await react("x".repeat(46))).toBe("ERR_BAD_REQUEST");
  });

  it("takes mentions from the text, and reactions from those who react", async () => {
    const given = { mentions: { support: { uid: "support" } }, reactions: [{ reaction: "x", count: 9 }] };
    const to = { receiver: "bob", receiverType: "user" };

    const { data } = await chat("POST /messages", "alice", { ...to, data: { text: "<@uid:bob>", ...given } });
    await chat(`PUT /messages/${data.id}`, "alice", { data: { text: "none", ...given } });
    const edited = (await chat(`GET /messages/${data.id}`)).data;

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
  ])("is not edited to what could not be sent: %s", async (code, message, data) => {
    const to = { receiver: "bob", receiverType: "user" };
    const { id } = (await chat("POST /messages", "alice", { ...to, ...message })).data;

    expect((await chat(`PUT /messages/${id}`, "alice", { data })).code).toBe(code);
    expect((await chat(`PUT /messages/${id}`, "alice", { tags: ["x"] })).status).toBe(200);
  });

  it("lets only the sender or the app change it, and only participants read it", async () => {
    const message = await sendText("mine");
    const body = { data: { text: "yours" } };

    const receiver = await chat(`PUT /messages/${message.id}`, "bob", body);
    const stranger = await chat(`GET /messages/${message.id}`, "support");
    const system = await chat(`PUT /messages/${message.id}`, body);
    const action = await chat(`PUT /messages/${system.data.id}`, body);

    expect(receiver.code).toBe("ERR_MESSAGE_NOT_A_SENDER");
    expect(stranger.code).toBe("ERR_MESSAGE_NO_ACCESS");
    expect(system.data.data.entities.by.entity.uid).toBe("app_system");
    expect(action.code).toBe("ERR_MESSAGE_ACTION_NOT_ALLOWED");
  });
});
