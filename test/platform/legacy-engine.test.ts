import { describe, expect, it } from "vitest";
import {
  act,
  addLegacyWebhook,
  addWebhook,
  app,
  chat,
  dataOf,
  idle,
  own,
  type ReceiverAnswer,
  sendText,
  startAt,
  startPlatform,
  startReceiver,
} from "./helpers.ts";

const legacyFields = {
  appId: "local-app",
  origin: { platform: "API" },
  chatAPIVersion: "3.0",
  region: "us",
  webhook: "old1",
};

describe("the engine of an app", () => {
  it("is the current one until it is switched, and only the active one sends calls", async () => {
    const current = await startReceiver();
    const legacy = await startReceiver();
    await addWebhook(current.url, ["message_sent"]);
    await addLegacyWebhook(legacy.url, ["after_message"]);
    await own(`PUT /apps/${app.appId}/engine`, { engine: "current" });

    await sendText("one");
    await own(`PUT /apps/${app.appId}/engine`, { engine: "legacy" });
    await sendText("two");
    await idle();

    expect(current.received.map(({ json }) => json.data.message.data.text)).toEqual(["one"]);
    expect(legacy.received.map(({ json }) => json.data.data.text)).toEqual(["two"]);
    expect((await own(`GET /apps/${app.appId}/engine`)).body).toEqual({ engine: "legacy" });
  });

  it.each([
    { line: "PUT /apps/local-app/engine", body: { engine: "newest" }, status: 400 },
    { line: "PUT /apps/nope/engine", body: { engine: "legacy" }, status: 404 },
  ])("refuses $line with $body", async ({ line, body, status }) => {
    expect((await own(line, body)).status).toBe(status);
  });

  it("can be switched in code and by the seed", async () => {
    const platform = await startPlatform();

    platform.switchEngine("local-app", "legacy");

    expect((await own("GET /apps/local-app/engine")).body).toEqual({ engine: "legacy" });
    expect(() => platform.switchEngine("nope", "legacy")).toThrow(/no app nope/);
  });
});

describe("events of the legacy engine", () => {
  it("after_message holds the message directly in data", async () => {
    const receiver = await startReceiver();
    await addLegacyWebhook(receiver.url, ["after_message"]);

    const message = await sendText("Grüße 👋");
    await idle();

    expect(receiver.received.map(({ json }) => json)).toEqual([
      { trigger: "after_message", data: message, ...legacyFields },
    ]);
  });

  it("omit the optional keys if configured", async () => {
    await startPlatform({ switches: { legacyEnvelope: "bare" } });
    const receiver = await startReceiver();
    await addLegacyWebhook(receiver.url, ["after_message"]);

    await sendText("hi");
    await idle();

    expect(Object.keys(receiver.received[0]?.json)).toEqual(["trigger", "data", "appId", "webhook"]);
  });

  it("report delivery and reading of a message in a separate form", async () => {
    const receiver = await startReceiver();
    await addLegacyWebhook(receiver.url, ["message_delivery_receipt", "message_read_receipt"]);
    const { id } = await sendText("hi");

    await act(`/messages/${id}/delivered`, { uid: "bob" });
    await act(`/messages/${id}/read`, { uid: "bob" });
    await idle();

    expect(receiver.received.map(({ json }) => [json.trigger, json.data.receiptType])).toEqual([
      ["message_delivery_receipt", "delivered"],
      ["message_read_receipt", "read"],
    ]);
    expect(receiver.received[0]?.json.data).toMatchObject({ messageId: id, receiptSender: "bob" });
  });

  it("report connections under a name that differs from the subscription's", async () => {
    const clock = await startAt();
    const receiver = await startReceiver();
    await addLegacyWebhook(receiver.url, ["user_connection_status_change"]);

    await act("/users/alice/connect", { deviceId: "d1", platform: "android" });
    await idle();

    const nowMs = clock.now();
    const device = {
      connected_at: nowMs,
      cometchat_device_id: "d1",
      session_id: expect.any(String),
      platform: "android",
    };
    expect(receiver.received[0]?.json).toEqual({
      ...legacyFields,
      trigger: "after_connection_status_changed",
      origin: { platform: "WEBSOCKET" },
      data: {
        user: { uid: "alice", status: "online", status_updated: true, status_updated_at: nowMs },
        event: { type: "connected", at: nowMs, event_for: device },
        connections: [device],
      },
    });
  });

  it("do not exist for unknown occurrences", async () => {
    const receiver = await startReceiver();
    await addLegacyWebhook(receiver.url, ["after_message"]);

    await act("/calls", { caller: "alice", receiver: "bob" });
    await idle();

    expect(receiver.received).toEqual([]);
  });
});

describe("before_message", () => {
  /** Services have all the time that a busy machine needs. */
  const patienceFor = (answer: ReceiverAnswer) => (answer === "hang" ? 50 : 60_000);
  const withHook = async (answer: ReceiverAnswer, switches = {}) => {
    await startPlatform({ switches });
    const hook = await startReceiver(() => answer);
    await addLegacyWebhook(hook.url, ["before_message"], {
      useBasicAuth: true,
      username: "u",
      password: "secret12",
    });
    const answered = await chat("POST /messages", "alice", {
      receiver: "bob",
      receiverType: "user",
      data: { text: "hi", metadata: { mine: 1 } },
    });
    const stored = await dataOf("GET /messages");
    return { hook, answered, stored };
  };

  it("sees the message without an id, with credentials", async () => {
    const { hook } = await withHook({ status: 200, body: "{}" });

    const [{ json, headers } = { json: undefined, headers: {} }] = hook.received;
    expect(json).toMatchObject({ trigger: "before_message", webhook: "old1", data: { sender: "alice" } });
    expect(json.data).not.toHaveProperty("id");
    expect(headers.authorization).toBe(`Basic ${btoa("u:secret12")}`);
  });

  it("drops the message if the answer requests it", async () => {
    const { answered, stored } = await withHook({ status: 200, body: '{"action":"do_not_propagate"}' });

    expect(answered.code).toBe("ERR_BLOCKED_BY_WEBHOOK");
    expect(stored).toEqual([]);
  });

  it("keeps any other object under its id, besides the existing data", async () => {
    const { stored } = await withHook({ status: 200, body: '{"riskScore":12}' });

    expect(stored[0].data.metadata).toEqual({
      mine: 1,
      "@injected": { webhooks: { old1: { riskScore: 12 } } },
    });
  });

  it.each<{ name: string; answer: ReceiverAnswer }>([
    { name: "an empty object", answer: { status: 200, body: "{}" } },
    { name: "a server error", answer: { status: 500, body: '{"riskScore":12}' } },
    { name: "no JSON", answer: { status: 200, body: "fine" } },
    { name: "no object", answer: { status: 200, body: "[1]" } },
    { name: "silence", answer: "hang" },
  ])("leaves the message unchanged after $name", async ({ answer }) => {
    const { answered, stored } = await withHook(answer, { beforeMessageTimeoutMs: patienceFor(answer) });

    expect(answered.status).toBe(200);
    expect(stored[0].data.metadata).toEqual({ mine: 1 });
  });

  it.each<{ answer: ReceiverAnswer }>([{ answer: 500 }, { answer: "hang" }])(
    "drops the message after $answer if failures are configured to drop",
    async ({ answer }) => {
      const { answered } = await withHook(answer, {
        beforeMessageFailure: "drop",
        beforeMessageTimeoutMs: patienceFor(answer),
      });

      expect(answered.code).toBe("ERR_BLOCKED_BY_WEBHOOK");
    },
  );
});
