import { describe, expect, it } from "vitest";
import { watchEvents } from "./events.ts";
import { act, chat, dataOf, type Json, sendText, startAt, startPlatform } from "./helpers.ts";

const receiptTriggers = [
  "message_delivery_receipt",
  "message_read_receipt",
  "message_delivered_to_all",
  "message_read_by_all",
];

const mark = (id: string, uid: string, what: string) => act(`/messages/${id}/${what}`, { uid });

describe("marking by REST", () => {
  it("changes the unread count and the times of messages, without events", async () => {
    const clock = await startAt(1_700_000_000_000);
    const events = await watchEvents(...receiptTriggers);
    const ids = [];
    for (const text of ["a", "b", "c"]) ids.push(Number((await sendText(text)).id));
    await clock.advance(5_000);
    const conversation = async () => await dataOf("GET /users/alice/conversation", "bob");

    expect(await dataOf("POST /users/alice/conversation/delivered", "bob")).toEqual({
      success: true,
      Message: "All the messages from the user are marked as delivered for the requesting user.",
    });
    const read = await chat("POST /users/alice/conversation/read", "bob", { messageId: ids[1] });
    const left = await conversation();
    const messages = await dataOf("GET /users/bob/messages", "alice");
    const unread = await dataOf("GET /users/alice/messages?unread=true", "bob");
    expect(await dataOf("GET /messages?unread=true&count=true", "bob")).toEqual({ count: 1 });
    expect(
      (await dataOf("DELETE /users/alice/conversation/read", "bob", { messageId: ids[0] })).message,
    ).toBe(
      `The messages after the message id ${ids[0]} from the user alice are marked as unread for the user bob.`,
    );
    expect(read.status).toBe(200);
    expect(left.unreadMessageCount).toBe("1");
    expect(messages.map((each: Json) => [each.deliveredAt, each.readAt])).toEqual([
      [1_700_000_005, 1_700_000_005],
      [1_700_000_005, 1_700_000_005],
      [1_700_000_005, undefined],
    ]);
    expect(unread.map((each: Json) => each.data.text)).toEqual(["c"]);
    expect((await conversation()).unreadMessageCount).toBe("2");
    const again = await dataOf("GET /users/bob/messages", "alice");
    expect(again.map((each: Json) => each.readAt)).toEqual([1_700_000_005, undefined, undefined]);
    expect(await events()).toEqual([]);
  });

  it("keeps unconfirmed messages undelivered", async () => {
    const { id } = await sendText("a", "alice", "lobby");
    await sendText("b", "alice", "lobby");
    await chat("POST /groups/lobby/conversation/delivered", "bob", { messageId: Number(id) });

    const answer = await dataOf("GET /groups/lobby/messages?undelivered=true", "bob");

    expect(answer.map((each: Json) => each.data.text)).toEqual(["b"]);
  });
});

describe("marking as a client", () => {
  it("fires one receipt with the user, and none the second time", async () => {
    await startAt(1_700_000_000_000);
    const events = await watchEvents(...receiptTriggers);
    const { id } = await sendText("Hi");

    const results = [];
    for (const [as, what] of [
      ["bob", "delivered"],
      ["bob", "delivered"],
      ["bob", "read"],
      ["alice", "read"],
    ] as const) {
      results.push((await mark(id, as, what)).data.isNew);
    }

    expect(results).toEqual([true, false, true, false]);
    const seen = await events();
    expect(seen.map(([trigger]) => trigger)).toEqual(["message_delivery_receipt", "message_read_receipt"]);
    expect(seen[0]?.[1]).toEqual({
      receiver: "alice",
      receiverType: "user",
      type: "receipts",
      sender: "bob",
      messageSender: "alice",
      body: {
        action: "delivered",
        messageId: id,
        user: expect.objectContaining({
          uid: "bob",
          hasBlockedMe: false,
          blockedByMe: false,
          deactivatedAt: 0,
        }),
        timestamp: 1_700_000_000,
      },
    });
  });

  it.each([
    [
      true,
      ["message_read_receipt", "message_read_receipt", "message_read_by_all"],
      [
        {
          receiver: "lobby",
          receiverType: "group",
          sender: "app_system",
          messageSender: "alice",
          body: {
            messageId: expect.any(String),
            action: "readByAll",
            user: { uid: "app_system", avatar: "" },
          },
        },
      ],
    ],
    [false, ["message_read_receipt", "message_read_receipt"], []],
  ])(
    "reports that the last member of a group read it, if enhanced status is %s",
    async (receiptsToAll, triggers, toAll) => {
      await startPlatform({ switches: { receiptsToAll } });
      const events = await watchEvents(...receiptTriggers);
      const { id } = await sendText("Hi", "alice", "lobby");

      for (const uid of ["bob", "support"]) await mark(id, uid, "read");

      const seen = await events();
      expect(seen.map(([trigger]) => trigger)).toEqual(triggers);
      const payloads = seen.slice(2).map(([, payload]) => payload);
      expect(payloads).toMatchObject(toAll);
      expect(payloads.map(({ body }) => body.messageId)).toEqual(toAll.map(() => id));
    },
  );

  it("reports that the last member of a group received it", async () => {
    const events = await watchEvents(...receiptTriggers);
    const { id } = await sendText("Hi", "alice", "lobby");

    for (const uid of ["bob", "support"]) await mark(id, uid, "delivered");

    const last = (await events()).at(-1);
    expect(last?.[0]).toBe("message_delivered_to_all");
    expect(last?.[1]).toMatchObject({ receiver: "lobby", body: { messageId: id, action: "deliveredToAll" } });
  });

  it.each([
    ["ERR_UID_NOT_FOUND", "nobody", "1"],
    ["ERR_MESSAGE_ID_NOT_FOUND", "bob", "999"],
    ["ERR_MESSAGE_NO_ACCESS", "support", "1"],
  ])("refuses with %s", async (code, uid, messageId) => {
    await sendText("Hi");

    expect((await mark(messageId, uid, "read")).code).toBe(code);
  });
});
