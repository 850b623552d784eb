import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LocalStack, startLocalStack } from "../../local/stack/local-stack.ts";
import { basic, deliver, messageSent } from "../helpers/deliver.ts";
import { loseSecret } from "../helpers/lose-secret.ts";

const unauthorized = '{"error":{"code":"unauthorized","message":"The credentials are missing or wrong."}}';

describe("POST /webhooks/{appId}, the deployed bundle", () => {
  let world: LocalStack;

  beforeAll(async () => {
    world = await startLocalStack();
    await world.cloud.pauseConsumers();
  });
  afterAll(() => world.close());
  beforeEach(() => world.cloud.reset());

  it("answers 200 {} and the delivery is on the queue, byte for byte", async () => {
    const body = messageSent({ id: "1", sender: "alice", text: "Grüße 🎉 \u0000 </script>" });

    const answer = await deliver(world, body);

    expect(answer).toEqual({
      status: 200,
      body: "{}",
      contentType: expect.stringMatching(/^application\/json/),
    });
    const [message] = world.cloud.receiveAll("EventsQueue");
    expect(JSON.parse(message?.body ?? "")).toMatchObject({
      v: 1,
      appId: "local-app",
      family: "webhook",
      trigger: "message_sent",
      body,
      base64: false,
    });
  });

  it("answers a warm delivery from what it knows, with no call but the one to the queue", async () => {
    await deliver(world, messageSent({ id: "warm", sender: "alice" }));
    const { username, password } = await loseSecret(world);

    const authorization = basic(username, password);
    const answer = await deliver(world, messageSent({ id: "warm-2", sender: "alice" }), { authorization });

    expect(answer.status).toBe(200);
    expect(world.cloud.receiveAll("EventsQueue")).toHaveLength(2);
  });

  it.each([
    ["a wrong password", (w: LocalStack) => ({ authorization: basic(w.webhook.username, "wrong") })],
    ["no credentials", () => ({ authorization: null })],
    ["an unknown app, with another app's right credentials", () => ({ appId: "no-such-app" })],
  ])("refuses %s with one constant answer, and queues nothing", async (_case, options) => {
    const answer = await deliver(world, messageSent({ id: "1", sender: "alice" }), options(world));

    expect(answer).toEqual({
      status: 401,
      body: unauthorized,
      contentType: expect.stringMatching(/^application\/json/),
    });
    expect(world.cloud.receiveAll("EventsQueue")).toHaveLength(0);
    expect(world.cloud.receiveAll("QuarantineQueue")).toHaveLength(0);
  });

  it.each([
    ["not JSON", '{"trigger":"message_sent", é', "not-json"],
    ["an empty body", "", "not-json"],
    ["JSON without an envelope", '[{"trigger":1}]', "no-envelope"],
  ])("puts %s into quarantine as received, and answers 200", async (_case, body, reason) => {
    const answer = await deliver(world, body);

    expect(answer.status).toBe(200);
    const [message] = world.cloud.receiveAll("QuarantineQueue");
    expect(JSON.parse(message?.body ?? "")).toMatchObject({
      appId: "local-app",
      reason,
      body,
      base64: false,
    });
    expect(world.cloud.receiveAll("EventsQueue")).toHaveLength(0);
  });

  it("keeps the bytes of a base64 body, also those that are no UTF-8", async () => {
    const bytes = Buffer.concat([Buffer.from('{"trigger":"é🎉"', "utf8"), Buffer.from([0xff, 0xfe])]);
    const { username, password } = world.webhook;

    const { payload } = await world.cloud.invoke("webhook", {
      version: "2.0",
      headers: { Authorization: basic(username, password) },
      pathParameters: { appId: "local-app" },
      body: bytes.toString("base64"),
      isBase64Encoded: true,
    });

    expect(payload).toMatchObject({ statusCode: 200 });
    const [message] = world.cloud.receiveAll("QuarantineQueue");
    expect(JSON.parse(message?.body ?? "")).toMatchObject({ base64: true, body: bytes.toString("base64") });
  });

  it("takes 1 MiB and refuses a byte more with 413", async () => {
    const frame = messageSent({ id: "big", sender: "alice", text: "" });
    const fits = messageSent({
      id: "big",
      sender: "alice",
      text: "y".repeat(1_048_576 - frame.length),
    });
    expect(Buffer.byteLength(fits)).toBe(1_048_576);

    expect((await deliver(world, fits)).status).toBe(200);
    expect(await deliver(world, `${fits} `)).toMatchObject({
      status: 413,
      body: expect.stringContaining("payload_too_large"),
    });
    expect(world.cloud.receiveAll("EventsQueue")).toHaveLength(1);
  });

  it("answers 503 while the queue cannot be reached, and 200 when it is back", async () => {
    const body = messageSent({ id: "1", sender: "alice" });
    await deliver(world, messageSent({ id: "0", sender: "alice" }));
    await world.cloud.stopQueue();
    try {
      expect(await deliver(world, body)).toMatchObject({
        status: 503,
        body: expect.stringContaining("unavailable"),
      });
    } finally {
      await world.cloud.startQueue();
    }

    expect((await deliver(world, body)).status).toBe(200);
  });
});
