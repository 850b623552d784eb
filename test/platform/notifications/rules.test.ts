import { describe, expect, it } from "vitest";
import { act, chat, dataOf, idle, type Json, sendText, settled } from "../helpers.ts";
import { withProvider } from "./helpers.ts";

// A Wednesday, noon in UTC.
const noonMs = Date.UTC(2026, 10, 18, 12);
const settings = "PATCH /notifications/v1/settings";

describe("pushes about reactions", () => {
  it("are sent to the author of the message", async () => {
    const { receiver } = await withProvider("push");
    const message = await sendText("hi");
    const before = await settled(receiver);

    await react(message.id, "bob");
    await react(message.id, "bob");
    await idle();

    expect(receiver.received.slice(before).map(({ json }) => json.data)).toMatchObject([
      {
        to: { uid: "alice" },
        notificationDetails: {
          title: "Bob Okafor",
          body: "Reacted to your message: 😎",
          sender: "bob",
          senderName: "Bob Okafor",
          receiver: "bob",
          receiverName: "Bob Okafor",
          receiverType: "user",
          tag: message.id,
          conversationId: "alice_user_bob",
          type: "chat",
          sentAt: expect.stringMatching(/^\d+$/),
        },
      },
    ]);
  });

  it.each([
    [1, []],
    [2, []],
    [3, ["support"]],
  ])("reach other users by the preference %d: %j", async (choice, expected) => {
    const { receiver } = await withProvider("push");
    const message = await sendText("hi", "alice", "lobby");
    await prefer("support", { groupPreferences: { groupReactions: choice } });
    const before = await settled(receiver);

    await react(message.id, "bob");

    const told = await toldSince(receiver, before);
    expect(told.filter((uid) => uid !== "alice")).toEqual(expected);
    expect(told).toContain("alice");
  });
});

it("pushes about messages are not sent to users who blocked the sender", async () => {
  const { receiver } = await withProvider("push");
  await chat("POST /users/bob/blockedusers", { blockedUids: ["alice"] });
  await sendText("unseen");
  await sendText("seen", "support", "bob");
  await idle();

  expect(receiver.received.map(({ json }) => json.data.notificationDetails.sender)).toEqual(["support"]);
});

describe("pushes about group actions", () => {
  it("are sent if the preferences request them, with the group as tag", async () => {
    const { receiver } = await withProvider("push");
    await chat(settings, { preferences: { group: { memberLeftSetting: 2 } } });

    await act("/groups/lobby/leave", { uid: "bob" });
    await idle();

    const toAlice = receiver.received.find(({ json }) => json.data.to.uid === "alice")?.json.data;
    expect(toAlice?.notificationDetails).toMatchObject({
      title: "Lobby",
      body: "Bob Okafor has left",
      sender: "bob",
      receiver: "lobby",
      receiverType: "group",
      tag: "lobby",
      conversationId: "group_lobby",
      type: "chat",
    });
    expect(receiver.received.some(({ json }) => json.data.to.uid === "bob")).toBe(false);
  });

  it("are not sent by default, which the logs record", async () => {
    const { receiver } = await withProvider("push");

    await act("/groups/lobby/leave", { uid: "bob" });
    await idle();

    expect(receiver.received).toEqual([]);
    expect(await logs("member=alice")).toMatchObject([
      {
        trigger: "after_group_left",
        notificationTriggered: false,
        reason: "GROUP_ACTIONS_PREFERENCE",
        receiver: "lobby",
      },
    ]);
  });
});

describe("a user's preference", () => {
  it.each([
    ["no messages", { oneOnOnePreferences: { oneOnOneMessages: 1 } }, "MESSAGES_PREFERENCE"],
    ["only mentions", { oneOnOnePreferences: { oneOnOneMessages: 3 } }, "MESSAGES_PREFERENCE"],
    ["do not disturb", { mutePreferences: { dnd: 2 } }, "DND_PREFERENCE"],
    ["another hour", { mutePreferences: { schedule: wednesday(1_300, 1_800) } }, "SCHEDULE_PREFERENCE"],
    ["a night's hours", { mutePreferences: { schedule: wednesday(2_200, 600) } }, "SCHEDULE_PREFERENCE"],
    ["a quiet day", { mutePreferences: { schedule: wednesday(0, 2_359, true) } }, "SCHEDULE_PREFERENCE"],
  ])("is applied: %s", async (_name, body, reason) => {
    const { receiver } = await withProvider("push", {}, { atMs: noonMs });
    await prefer("bob", body);

    const { id } = await sendText("hi");
    await idle();

    expect(receiver.received).toEqual([]);
    const [entry] = await logs("member=bob");
    expect(entry).toMatchObject({
      messageId: Number(id),
      trigger: "after_message",
      notificationTriggered: false,
      reason,
    });
    expect(entry).not.toHaveProperty("success");
  });

  it.each([
    ["only mentions", { oneOnOnePreferences: { oneOnOneMessages: 3 } }],
    ["this hour", { mutePreferences: { schedule: wednesday(1_100, 1_200) } }],
    ["a night that reaches into it", { mutePreferences: { schedule: wednesday(2_200, 1_200) } }],
  ])("allows messages that it does not exclude: %s", async (_name, body) => {
    const { receiver } = await withProvider("push", {}, { atMs: noonMs });
    await prefer("bob", body);

    await sendText("hi <@uid:bob>");
    await idle();

    expect(receiver.received).toHaveLength(1);
  });

  it("uses the user's timezone", async () => {
    const { receiver } = await withProvider("push", {}, { atMs: noonMs });
    await prefer("bob", { mutePreferences: { schedule: wednesday(900, 1_500) } });

    await timezone("Asia/Kolkata");
    await sendText("half past five");
    await timezone("Europe/Berlin");
    await sendText("one o'clock");
    await idle();

    expect(receiver.received.map(({ json }) => json.data.notificationDetails.body)).toEqual(["one o'clock"]);
  });

  it("is ignored if the app allows no override", async () => {
    const { receiver } = await withProvider("push");
    await prefer("bob", {
      oneOnOnePreferences: { oneOnOneMessages: 1 },
      mutePreferences: { dnd: 2 },
    });
    const preferences = {
      oneOnOne: { messagesOverride: false },
      mute: { dndPreferenceOverride: false },
    };

    await chat(settings, { preferences });
    await sendText("hi");
    await idle();

    expect(receiver.received).toHaveLength(1);
  });

  it("is overridden by a mention if the app allows it", async () => {
    const { receiver } = await withProvider("push");
    await prefer("bob", { oneOnOnePreferences: { oneOnOneMessages: 1 } });

    await chat(settings, { preferences: { bypassPreferencesForMentions: true } });
    await sendText("hi");
    await sendText("hi <@uid:bob>");
    await idle();

    expect(receiver.received).toHaveLength(1);
  });
});

describe("a muted conversation", () => {
  it.each(["push", "email", "sms"] as const)("sends nothing until its time, by %s", async (channel) => {
    const { receiver, clock } = await withProvider(channel, addresses[channel], { atMs: noonMs });
    const conversations = [{ id: "alice", type: "oneOnOne", until: noonMs + 1_000 }];
    await chat("PUT /notifications/v1/preferences/mute?uid=bob", { conversations });

    await sendText("muted");
    await sendText("elsewhere", "support", "bob");
    await clock.advance(1_000);
    await sendText("heard");
    await clock.advance(60_000);
    await idle();

    const told = JSON.stringify(receiver.received.map(({ json }) => json.data));
    expect(["muted", "elsewhere", "heard"].map((word) => told.includes(word))).toEqual([false, true, true]);
    expect(await logs("reason=MUTE_PREFERENCE")).toMatchObject([{ channel, member: "bob" }]);
  });
});

describe("the logs of custom providers", () => {
  it.each([
    [404, { success: false, reason: "NOT_FOUND" }],
    [500, { success: false }],
  ])("record the server's answer to a call: %d", async (status, expected) => {
    await withProvider("push", {}, { status });

    await sendText("hi");
    await idle();

    const [entry] = await logs(`success=${expected.success}`);
    expect(entry).toMatchObject({ ...expected, notificationTriggered: true });
    expect(entry).not.toHaveProperty("deliveryId");
  });
});

const addresses = { push: {}, email: { useStoredEmailID: false }, sms: { useStoredPhNo: false } };

function wednesday(from: number, to: number, dnd = false): Json {
  return { wednesday: { from, to, dnd } };
}

function prefer(uid: string, body: Json) {
  return chat(`PATCH /notifications/v1/preferences?uid=${uid}`, body);
}

function timezone(name: string) {
  return chat("PATCH /notifications/v1/preferences/timezone?uid=bob", { timezone: name });
}

function react(id: string, as: string) {
  return chat(`POST /messages/${id}/reactions/${encodeURIComponent("😎")}`, as);
}

async function logs(query: string): Promise<Json[]> {
  return await dataOf(`GET /notifications/v1/logs?${query}`);
}

async function toldSince(receiver: { received: { json: Json }[] }, before: number): Promise<string[]> {
  await idle();
  return receiver.received.slice(before).map(({ json }) => json.data.to.uid);
}
