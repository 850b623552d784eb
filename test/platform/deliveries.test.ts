import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { Database } from "../../local/platform/store/database.ts";
import { insertDelivery, listDeliveries, recordAttempt } from "../../local/platform/store/webhooks.ts";
import {
  addWebhook,
  app,
  chat,
  idle,
  manage,
  manageWith,
  receive,
  sendText,
  startPlatform,
  startReceiver,
} from "./helpers.ts";

describe("webhook deliveries", () => {
  it("sends a message_sent call in the platform's envelope, byte for byte", async () => {
    const receiver = await receive(["message_sent"]);

    const message = await sendText(`Grüße 👋 <b>"x"</b>`);
    await idle();

    expect(receiver.received.map((call) => call.json)).toEqual([
      { trigger: "message_sent", data: { message }, appId: "local-app", region: "us", webhook: "hook1" },
    ]);
    // With the capital A of live calls.
    expect(receiver.received[0]?.headers["content-type"]).toBe("Application/json");
  });

  it("sends Basic credentials only if the webhook asks for them", async () => {
    const receiver = await receive(["message_sent"], { id: "plain" });
    await addWebhook(receiver.url, ["message_sent"], {
      id: "safe",
      useBasicAuth: true,
      username: "hooks",
      password: "pw12345",
    });

    await sendText("hi");
    await idle();

    const byWebhook = Object.fromEntries(
      receiver.received.map((call) => [call.json.webhook, call.headers.authorization]),
    );
    expect(byWebhook).toEqual({ plain: undefined, safe: `Basic ${btoa("hooks:pw12345")}` });
  });

  it.each([
    { secondRetryFrom: "firstAttempt", seconds: [0, 10, 30] },
    { secondRetryFrom: "firstRetry", seconds: [0, 10, 40] },
  ] as const)(
    "tries at $seconds seconds if the second retry counts from $secondRetryFrom, then gives up",
    async ({ secondRetryFrom, seconds }) => {
      const clock = createVirtualClock();
      const platform = await startPlatform({ clock, switches: { secondRetryFrom } });
      const receiver = await startReceiver(() => 500);
      await addWebhook(receiver.url, ["message_sent"]);
      const start = clock.now();

      await sendText("hi");
      await clock.advance(120_000);

      const [delivery] = platform.deliveries();
      expect(delivery).toMatchObject({ state: "lost", attemptCount: 3 });
      expect(delivery?.attempts.map((attempt) => (attempt.atMs - start) / 1_000)).toEqual(seconds);
      expect(delivery?.attempts.map((attempt) => attempt.status)).toEqual([500, 500, 500]);
      expect(receiver.received).toHaveLength(3);
    },
  );

  it("stops after a retry that succeeds, with the same bytes each time", async () => {
    const clock = createVirtualClock();
    const platform = await startPlatform({ clock });
    const receiver = await startReceiver((count) => (count === 1 ? 503 : 204));
    await addWebhook(receiver.url, ["message_sent"]);

    await sendText("hi");
    await clock.advance(60_000);

    expect(platform.deliveries()).toMatchObject([{ state: "delivered", attemptCount: 2 }]);
    expect(new Set(receiver.received.map((call) => call.text)).size).toBe(1);
  });

  it("reports a missing answer as a failure", async () => {
    const platform = await startPlatform({ switches: { deliveryTimeoutMs: 40 } });
    const receiver = await startReceiver(() => "hang");
    await addWebhook(receiver.url, ["message_sent"], { retryOnFailure: false });

    await sendText("hi");
    await idle();

    expect(platform.deliveries()[0]?.attempts).toMatchObject([{ error: "No answer within 40 ms." }]);
  });

  it("records a refused connection with its reason, and drops the event of a webhook without retries", async () => {
    const platform = await startPlatform();
    await addWebhook("http://127.0.0.1:1/hook", ["message_sent"], { retryOnFailure: false });

    await sendText("hi");
    await idle();

    expect(platform.deliveries()).toMatchObject([
      { state: "lost", attempts: [{ error: expect.stringMatching(/ECONNREFUSED/) }] },
    ]);
  });

  it("sends nothing for a disabled webhook, another trigger or a refused call", async () => {
    const receiver = await receive(["message_sent"], { id: "off", enabled: false });
    await addWebhook(receiver.url, ["message_edited"], { id: "other" });

    await sendText("hi");
    await sendText("hi", "nobody");
    await idle();

    expect(receiver.received).toHaveLength(0);
  });

  it("reuses connections and limits their number", async () => {
    await startPlatform({ maxConcurrentDeliveries: 4 });
    const gate = Promise.withResolvers<number>();
    const receiver = await startReceiver(() => gate.promise);
    await addWebhook(receiver.url, ["message_sent"]);

    await Promise.all(Array.from({ length: 40 }, (_, index) => sendText(`hi ${index}`)));
    await expect.poll(receiver.connections).toBe(4);
    gate.resolve(200);
    await idle();

    expect([receiver.received.length, receiver.connections()]).toEqual([40, 4]);
  });

  it("separates the two engines", async () => {
    const receiver = await startReceiver();
    const headers = { "x-webhook-version": "" };
    const body = { id: "hook1", name: "old", webhookURL: receiver.url };
    await manageWith(`POST /apps/${app.appId}/webhooks`, { body, headers });
    const triggers = await manageWith(`POST /apps/${app.appId}/webhooks/hook1/triggers`, {
      body: { triggerIds: ["message_sent", "after_message"] },
      headers,
    });

    const seenByCurrent = await manage(`GET /apps/${app.appId}/webhooks/hook1`);

    expect(seenByCurrent.code).toBe("ERR_WEBHOOK_NOT_FOUND");
    expect(triggers.data).toMatchObject({
      message_sent: { success: false, error: { code: "ERR_TRIGGER_NOT_FOUND" } },
      after_message: { success: true },
    });
  });
});

describe("events of messages", () => {
  it("contain the flat message with its id after an edit and a deletion, the latter without text", async () => {
    const receiver = await receive(["message_edited", "message_deleted"]);
    const { id } = await sendText("before");

    await chat(`PUT /messages/${id}`, { data: { text: "after" } });
    await idle();
    await chat(`DELETE /messages/${id}`, "alice");
    await idle();

    const [edited, deleted] = receiver.received.map(({ json }) => json.data.message);
    expect(edited).toMatchObject({ id, data: { text: "after" }, editedBy: "app_system" });
    expect(deleted).toMatchObject({ id, deletedBy: "alice" });
    expect(deleted.data).not.toHaveProperty("text");
  });

  it("report an edit with an action message if switched to the documented form", async () => {
    await startPlatform({ switches: { editedAndDeletedForm: "documented" } });
    const receiver = await receive(["message_edited"]);
    const message = await sendText("before");

    await chat(`PUT /messages/${message.id}`, "alice", { data: { text: "after" } });
    await idle();

    const sent = receiver.received[0]?.json.data.message;
    expect(sent).toMatchObject({ category: "action", type: "message", data: { action: "edited" } });
    expect(Object.keys(sent.data.entities)).toEqual(["by", "on"]);
    expect(sent.data.entities.on.entity).toMatchObject({ id: message.id, editedBy: "alice" });
  });

  it("report a new group and each added member", async () => {
    const receiver = await receive(["group_created", "group_member_added"]);

    const body = {
      guid: "team",
      name: "Team",
      type: "private",
      members: { participants: ["bob", "support"] },
    };
    await chat("POST /groups", "alice", body);
    await idle();

    const calls = receiver.received.map((call) => call.json);
    const created = calls.find((call) => call.trigger === "group_created");
    const added = calls.filter((call) => call.trigger === "group_member_added");
    expect(Object.keys(created.data.members)).toEqual(["alice"]);
    expect(added.map((call) => [Object.keys(call.data.members)[0], call.data.by.uid]).sort()).toEqual([
      ["bob", "alice"],
      ["support", "alice"],
    ]);
  });
});

it("drops the oldest ended deliveries with their attempts, but no pending one", () => {
  const db = new Database(undefined);
  const delivery = {
    appId: "app-1",
    generation: 2,
    webhookId: "hook1",
    trigger: "message_sent",
    body: "{}",
  } as const;
  insertDelivery(db, { ...delivery, createdMs: 0, dueMs: 0 });
  for (let id = 2; id <= 502; id += 1) {
    const made = insertDelivery(db, { ...delivery, createdMs: id, dueMs: id });
    const settled = { ...made, state: "delivered", attemptCount: 1, dueMs: undefined } as const;
    recordAttempt(db, settled, { number: 1, atMs: id, durationMs: 1, status: 200, error: undefined });
  }
  db.run("UPDATE deliveries SET id = 20499 WHERE id = 502");

  insertDelivery(db, { ...delivery, createdMs: 1, dueMs: 1 });

  expect(listDeliveries(db, "app-1", 30_000).map(({ id }) => id)).toEqual([20_500, 20_499, 501, 1]);
  expect(db.values("SELECT delivery_id FROM attempts ORDER BY delivery_id")).toEqual([501, 502]);
  db.close();
});
