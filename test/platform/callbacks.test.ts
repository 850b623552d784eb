import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import {
  act,
  app,
  chat,
  codeOf,
  dataOf,
  idle,
  own,
  type ReceiverAnswer,
  receive,
  sendText,
  startPlatform,
  startReceiver,
} from "./helpers.ts";

describe("custom moderation", () => {
  const pass = { status: 200, body: '{"isMatchingCondition":false,"confidence":1}' };
  const match = { status: 200, body: '{"isMatchingCondition":true,"confidence":0.95,"reason":"no"}' };

  const moderated = async (answer: ReceiverAnswer, service: Record<string, unknown> = {}, switches = {}) => {
    // Services have all the time that a busy machine needs.
    const customModerationTimeoutMs = answer === "hang" ? 60 : 60_000;
    await startPlatform({ switches: { customModerationTimeoutMs, ...switches } });
    const engine = await startReceiver(() => answer);
    const receiver = await receive([
      "message_sent",
      "moderation_engine_approved",
      "moderation_engine_blocked",
      "moderation_engine_failed",
    ]);
    await sendText("Hello there!");
    await sendText("Hey, how are you?", "bob", "alice");
    await idle();
    receiver.received.length = 0;
    await own(`PUT /apps/${app.appId}/moderation-services/check`, {
      url: `${engine.url}?token=t`,
      contextMessages: 3,
      ...service,
    });
    await addCustomRule();
    const message = await sendText("ok");
    await idle();
    const events = Object.fromEntries(receiver.received.map(({ json }) => [json.trigger, json.data]));
    return { message, engine, events };
  };

  it("is asked with earlier texts and the whole message, pending, at the end", async () => {
    const { engine, message, events } = await moderated(pass);

    expect(events.message_sent.message.data.moderation).toEqual({ status: "approved" });
    const [{ json, headers } = { json: undefined, headers: {} }] = engine.received;
    expect(json).toEqual({
      contextMessages: [
        { alice: "Hello there!" },
        { bob: "Hey, how are you?" },
        { alice: { ...message, data: { ...message.data, moderation: { status: "pending" } } } },
      ],
    });
    expect([headers["content-type"], headers.authorization]).toEqual(["application/json", undefined]);
  });

  it("is asked about an edit with the messages before the edited one", async () => {
    const { engine, message } = await moderated(pass);
    await sendText("later");

    await chat(`PUT /messages/${message.id}`, "alice", { data: { text: "fine" } });

    const edited = expect.objectContaining({ id: message.id });
    expect(engine.received.at(-1)?.json.contextMessages).toEqual([
      ...[{ alice: "Hello there!" }, { bob: "Hey, how are you?" }, { alice: edited }],
    ]);
  });

  it("blocks above the threshold, with moderation_engine_blocked instead of message_sent", async () => {
    const { message, events, engine } = await moderated(match, { username: "mod", password: "secret12" });

    expect(engine.received[0]?.headers.authorization).toBe(`Basic ${btoa("mod:secret12")}`);
    expect(message.data.moderation).toEqual({
      status: "disapproved",
      rule: { id: "custom-check", name: "Custom check" },
    });
    expect(Object.keys(events)).toEqual(["moderation_engine_blocked"]);
    expect(events.moderation_engine_blocked.moderation[0].rule.id).toBe("custom-check");
  });

  it("blocks in addition to message_sent if blockedMessageEvents is set", async () => {
    const { events } = await moderated(match, {}, { blockedMessageEvents: "besidesSent" });

    expect(Object.keys(events).sort()).toEqual(["message_sent", "moderation_engine_blocked"].sort());
  });

  it("shows an accepted message as pending in message_sent if statusInMessageSent is set", async () => {
    const { message, events } = await moderated(pass, {}, { statusInMessageSent: "pending" });

    expect(events.message_sent.message.data.moderation).toEqual({ status: "pending" });
    expect(events.moderation_engine_approved.message.data.moderation).toEqual({ status: "approved" });
    expect(message.data.moderation).toEqual({ status: "approved" });
  });

  it.each<{ answer: ReceiverAnswer; failure: Record<string, unknown> }>([
    { answer: 500, failure: { category: "http_5xx", httpStatus: 500, responseBody: "{}" } },
    { answer: 404, failure: { category: "http_4xx", httpStatus: 404 } },
    { answer: "hang", failure: { category: "timeout", timeoutMs: 60 } },
    {
      answer: { status: 200, body: '{"isMatchingCondition":"yes","confidence":2}' },
      failure: {
        category: "invalid_response",
        validationErrors: [
          "isMatchingCondition must be a boolean.",
          "confidence must be a number from 0 to 1.",
        ],
      },
    },
    { answer: { status: 200, body: "x".repeat(3_000) }, failure: { responseBodyTruncated: true } },
  ])("reports the failure $failure.category and accepts the message", async ({ answer, failure }) => {
    const { message, events } = await moderated(answer);

    expect(message.data.moderation.status).toBe("approved");
    expect(events.moderation_engine_failed).toMatchObject({
      resource: { id: message.id, sender: "alice" },
      contentType: "text",
      outcome: "approved",
      failures: [failure],
    });
    const { context } = events.moderation_engine_failed.failures[0];
    expect(context).toMatchObject({
      engine: "custom_api",
      setting: "approve-message",
      rule: { id: "custom-check" },
      condition: { listId: "check", threshold: { comparison: "greaterThan", percent: 80 } },
      request: { method: "POST", basicAuthSent: false },
    });
    expect(context.request.url).not.toContain("token");
    expect(events.moderation_engine_failed.resource).not.toHaveProperty("data");
  });

  it("runs the rule's action after a failure when the setting is drop-message", async () => {
    const { message, events } = await moderated(500, { onError: "drop-message" });

    expect(message.data.moderation.status).toBe("disapproved");
    expect(events.moderation_engine_failed.outcome).toBe("disapproved");
    expect(events).not.toHaveProperty("message_sent");
  });
});

describe("bots", () => {
  const withBot = async (settings: Record<string, unknown> = {}) => {
    await startPlatform();
    const receiver = await startReceiver();
    await own(`PUT /apps/${app.appId}/bots/helper`, { url: receiver.url, name: "Helper", ...settings });
    return receiver;
  };

  it("receive messages for them, in the form of after_message with their id", async () => {
    const receiver = await withBot({ username: "bot", password: "secret12" });

    const message = await sendText("hi", "alice", "helper");
    await sendText("not for the bot");
    await idle();

    expect(receiver.received.map(({ json }) => json)).toEqual([
      {
        trigger: "after_message",
        data: message,
        appId: "local-app",
        origin: { platform: "API" },
        chatAPIVersion: "3.0",
        region: "us",
        bot: "helper",
      },
    ]);
    expect(receiver.received[0]?.headers.authorization).toBe(`Basic ${btoa("bot:secret12")}`);
  });

  it.each([
    [[], "none"],
    [["<@uid:helper> hi"], "mentioned"],
    [[], "slashed"],
    [["hi all", "<@uid:helper> hi"], "all"],
  ])("receive %j of their groups with the setting %s", async (heard, groupMessages) => {
    const receiver = await withBot({ groupMessages });
    await act("/groups/lobby/join", { uid: "helper" });

    await sendText("hi all", "alice", "lobby");
    await sendText("I am a bot", "helper", "lobby");
    await sendText("<@uid:helper> hi", "alice", "lobby");
    await idle();

    expect(receiver.received.map(({ json }) => json.data.data.text)).toEqual(heard);
  });

  it("are created, changed and deleted by their operations, and called only while enabled", async () => {
    const platform = await startPlatform();
    const receiver = await startReceiver();
    await chat("POST /users", { uid: "robot", name: "Robot" });
    const fields = { webhookURL: receiver.url, username: "bot", password: "secret12" };
    const wrong = await codeOf("POST /bots", { uid: "robot", ...fields, webhookURL: "not a url" });

    await chat("POST /users", { uid: "x".repeat(51), name: "Long" });
    const long = await codeOf("POST /bots", { uid: "x".repeat(51), ...fields });
    const missing = await codeOf("POST /bots", { uid: "nobody", ...fields });
    const created = await dataOf("POST /bots", { uid: "robot", ...fields });
    const again = await codeOf("POST /bots", { uid: "robot", ...fields });
    await sendText("unheard", "alice", "robot");
    const enabled = await dataOf("PUT /bots/robot", { ...fields, enabled: true, useBasicAuth: true });
    await sendText("heard secret12", "alice", "robot");
    const nowhere = await codeOf("PUT /bots/robot", { webhookURL: "" });
    const open = await dataOf("PUT /bots/robot", { useBasicAuth: false, username: "" });
    await sendText("heard in the open", "alice", "robot");
    await idle();
    const listed = await dataOf("GET /bots?searchKey=rob");
    const read = await dataOf("GET /bots/robot");
    const records = JSON.stringify(platform.deliveries());
    const deleted = await chat("DELETE /bots/robot");
    const gone = await codeOf("GET /bots/robot");

    expect([long, missing, again, gone]).toEqual([
      ...["ERR_UID_NOT_FOUND", "ERR_UID_NOT_FOUND", "ERR_BOT_ALREADY_EXISTS", "ERR_BOT_NOT_FOUND"],
    ]);
    const about = { uid: "robot", webhookURL: receiver.url, groupChatSetting: "none" };
    expect(created).toEqual({ ...about, createdAt: expect.any(Number) });
    expect(enabled).toMatchObject({ ...about, enabled: true, useBasicAuth: true, password: "secret12" });
    expect([wrong, nowhere]).toEqual(["ERR_BAD_REQUEST", "ERR_BAD_REQUEST"]);
    expect(open).not.toHaveProperty("useBasicAuth");
    expect([open.username, open.password]).toEqual([undefined, "secret12"]);
    expect(
      receiver.received.map(({ json, headers }) => [json.data.data.text, !!headers.authorization]),
    ).toEqual([
      ["heard secret12", true],
      ["heard in the open", false],
    ]);
    expect(listed).toEqual([read]);
    expect(records).not.toContain("secret12");
    expect([deleted.status, (await chat("GET /users/robot")).status]).toEqual([200, 200]);
  });

  it("are retried only if the switch is on", async () => {
    const clock = createVirtualClock();
    const counts: number[] = [];
    for (const callbackRetries of [false, true]) {
      const platform = await startPlatform({ clock, switches: { callbackRetries } });
      const receiver = await startReceiver(() => 500);
      await own(`PUT /apps/${app.appId}/bots/helper`, { url: receiver.url });
      await sendText("hi", "alice", "helper");
      await clock.advance(60_000);
      counts.push(receiver.received.length);
      await platform.close();
    }

    expect(counts).toEqual([1, 3]);
  });

  it("are not called without an address, like the initial bot", async () => {
    const platform = await startPlatform();

    await sendText("hi", "alice", "helper");
    await idle();

    expect(platform.deliveries()).toEqual([]);
  });

  it("are put, listed and deleted at run time, without their password, in upper or lower case", async () => {
    const bots = `/apps/${app.appId}/bots`;
    const settings = { url: "http://127.0.0.1:1", name: "Greeter", username: "bot", password: "secret12" };

    const put = await own(`PUT ${bots}/Greeter`, settings);
    const listed = await own(`GET ${bots}`);
    const deletions = [await own(`DELETE ${bots}/GREETER`), await own(`DELETE ${bots}/greeter`)];

    expect(listed.data).toContainEqual(put.body);
    expect((await dataOf("GET /users/greeter")).name).toBe("Greeter");
    expect(JSON.stringify(put.body)).not.toContain("secret12");
    expect(deletions.map(({ status }) => status)).toEqual([200, 404]);
  });

  it("keep their password out of records", async () => {
    const platform = await startPlatform();
    const records: unknown[] = [];
    platform.subscribe((record) => records.push(record));
    const settings = { url: "http://127.0.0.1:1", username: "bot", password: "secret12" };
    await own(`PUT /apps/${app.appId}/bots/greeter`, settings);

    await sendText("the password is secret12");

    expect(JSON.stringify(records)).toContain("the password is ");
    expect(JSON.stringify(records)).not.toContain("secret12");
  });

  it("are limited to 25 in an app; an existing one can still be changed", async () => {
    const put = (uid: string) => own(`PUT /apps/${app.appId}/bots/${uid}`, { url: "http://127.0.0.1:1" });

    const statuses: number[] = [];
    for (let number = 1; number <= 25; number += 1) statuses.push((await put(`bot-${number}`)).status);
    const changed = await put("bot-1");

    expect(statuses.filter((status) => status === 200)).toHaveLength(24);
    expect([statuses.at(-1), changed.status]).toEqual([400, 200]);
  });

  it.each([
    ["helper", { url: "nowhere" }],
    ["helper", {}],
    ["helper", { url: "http://127.0.0.1:1", groupMessages: "some" }],
    ["no%20bot", { url: "http://127.0.0.1:1" }],
  ])("are refused: %s with %o", async (uid, body) => {
    expect((await own(`PUT /apps/${app.appId}/bots/${uid}`, body)).status).toBe(400);
  });
});

async function addCustomRule() {
  const rule = await chat("POST /moderation/rules", {
    id: "custom-check",
    name: "Custom check",
    enabled: true,
    conditions: [
      {
        entity: "message",
        operand: "text",
        category: "custom-api",
        operator: "contains",
        value: ["check_greaterThan_80"],
      },
    ],
    action: ["blockMessage"],
  });
  expect(rule.status).toBe(200);
}
