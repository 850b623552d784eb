import { describe, expect, it } from "vitest";
import { act, chat, dataOf, idle, sendText } from "../helpers.ts";
import { withProvider } from "./helpers.ts";

describe("the custom push provider", () => {
  it("is called once per recipient of a message", async () => {
    const { receiver, clock } = await withProvider("push");

    const message = await sendText("Hello!", "alice", "lobby");
    await idle();

    expect(receiver.received.map(({ json }) => json.data.to.uid).sort()).toEqual(["bob", "support"]);
    const toBob = receiver.received.find(({ json }) => json.data.to.uid === "bob")?.json;
    expect(toBob).toEqual({
      trigger: "push-notification-payload-generated",
      appId: "local-app",
      region: "us",
      webhook: "custom",
      data: {
        to: { uid: "bob" },
        notificationDetails: {
          title: "Alice Nguyen @ Lobby",
          body: "Hello!",
          sender: "alice",
          senderName: "Alice Nguyen",
          receiver: "lobby",
          receiverName: "Lobby",
          receiverType: "group",
          tag: message.id,
          conversationId: "group_lobby",
          type: "chat",
          sentAt: String(clock.now()),
          unreadMessageCount: 1,
        },
      },
    });
  });

  it("is called about calls", async () => {
    const { receiver } = await withProvider("push");

    const call = await act("/calls", { caller: "alice", receiver: "bob", type: "video" });
    await idle();

    expect(receiver.received[0]?.json.data).toMatchObject({
      to: { uid: "bob" },
      notificationDetails: {
        title: "Alice Nguyen",
        body: "VIDEO CALL",
        type: "call",
        callAction: "initiated",
        callType: "video",
        sessionId: call.data.sessionId,
        sentAt: expect.stringMatching(/^\d{13}$/),
      },
    });
  });

  it("is not called while it is disabled", async () => {
    const { receiver } = await withProvider("push", { isEnabled: false });

    await sendText("Hello!");
    await idle();

    expect(receiver.received).toEqual([]);
  });
});

it("a deactivated member of a group receives no pushes and no calls as a bot", async () => {
  const { receiver } = await withProvider("push");
  await chat("POST /bots", {
    uid: "bob",
    webhookURL: receiver.url,
    enabled: true,
    groupChatSetting: "allMessages",
  });
  await chat("DELETE /users/bob");

  await sendText("hi", "alice", "lobby");
  await idle();

  expect(receiver.received.map(({ json }) => json.data.to?.uid)).toEqual(["support"]);
});

describe("the custom e-mail and SMS providers", () => {
  it("collect unread messages and report them after the interval, in one call per recipient", async () => {
    const { receiver, clock } = await withProvider("email", { useStoredEmailID: false });

    await sendText("Are we meeting?");
    await sendText("Well?");
    await clock.advance(59_999);
    const before = receiver.received.length;
    await clock.advance(1);

    expect([before, receiver.received.length]).toEqual([0, 1]);
    expect(receiver.received[0]?.json).toEqual({
      trigger: "email-notification-payload-generated",
      appId: "local-app",
      region: "us",
      webhook: "custom",
      data: {
        to: { uid: "bob", name: "Bob Okafor" },
        messages: ["Are we meeting?", "Well?"].map((message) => ({
          sender: { uid: "alice", name: "Alice Nguyen" },
          message,
        })),
        senderDetails: { uid: "alice", name: "Alice Nguyen" },
        subject: "New messages from Alice Nguyen",
      },
    });
  });

  it("report groups with groupDetails, once per recipient, after the switch notificationIntervalMs", async () => {
    const { platform, receiver, clock } = await withProvider("sms", { useStoredPhNo: false });
    platform.switches.notificationIntervalMs = 90_000;

    await sendText("Hello all!", "alice", "lobby");
    await clock.advance(89_999);
    const before = receiver.received.length;
    await clock.advance(1);

    expect([before, receiver.received.length]).toEqual([0, 2]);
    expect(receiver.received[0]?.json.trigger).toBe("sms-notification-payload-generated");
    expect(receiver.received[0]?.json.data).toMatchObject({
      groupDetails: { guid: "lobby", name: "Lobby" },
      smsContent: "You've received new messages in Lobby! Read them at https://your-website.com.",
    });
  });

  it.each([
    ["DELETE /users/bob", undefined, undefined, "lobby"],
    ["DELETE /groups/lobby/members/bob", undefined, undefined, "lobby"],
    ["POST /groups/lobby/bannedusers/bob", undefined, undefined, "lobby"],
    ["POST /users/bob/blockedusers", undefined, { blockedUids: ["alice"] }, "bob"],
    ["DELETE /users/alice/conversation", "bob", {}, "bob"],
  ])("send nothing to a user without access at that time: %s", async (line, as, body, receiver) => {
    const { receiver: provider, clock } = await withProvider("email", { useStoredEmailID: false });
    await sendText("hi", "alice", receiver);

    await chat(line, as, body);
    await clock.advance(60_000);

    expect(provider.received.map(({ json }) => json.data.to.uid)).toEqual(
      receiver === "lobby" ? ["support"] : [],
    );
  });

  it("send nothing if everything was read or deleted meanwhile", async () => {
    const { receiver, clock } = await withProvider("email", { useStoredEmailID: false });
    const read = await sendText("read");
    const gone = await sendText("gone", "alice", "support");

    await act(`/messages/${read.id}/read`, { uid: "bob" });
    await chat(`DELETE /messages/${gone.id}`);
    await clock.advance(60_000);

    expect(receiver.received).toEqual([]);
  });

  it("require the stored address if configured, send it along, and log a missing one", async () => {
    const { receiver, clock } = await withProvider("email", { useStoredEmailID: true });
    await chat("PATCH /notifications/v1/contact-details", "bob", { email: "bob@example.com" });

    await sendText("to bob");
    await sendText("to support", "alice", "support");
    await clock.advance(60_000);

    expect(receiver.received.map(({ json }) => json.data.to)).toEqual([
      { uid: "bob", name: "Bob Okafor", email: "bob@example.com" },
    ]);
    expect(await dataOf("GET /notifications/v1/logs?reason=MISSING_EMAIL")).toMatchObject([
      { member: "support", notificationTriggered: false },
    ]);
  });

  it("survive a restore", async () => {
    const { platform, receiver, clock } = await withProvider("email", { useStoredEmailID: false });
    await sendText("kept");
    const snapshot = platform.snapshot();
    platform.reset();

    platform.restore(snapshot);
    await clock.advance(60_000);

    expect(receiver.received).toHaveLength(1);
  });
});
