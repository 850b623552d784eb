import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type LocalStack, startLocalStack } from "../../local/stack/local-stack.ts";
import { events } from "../../local/testing/events/events.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { type SignedTarget, signedRequest } from "../../local/testing/signed-request.ts";
import { basic, deliver, messageSent } from "../helpers/deliver.ts";
import { loseSecret } from "../helpers/lose-secret.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { addLegacyWebhook, chat, own, sendText, usePlatform } from "../platform/helpers.ts";

let world: LocalStack;

beforeAll(async () => {
  world = await startLocalStack();
  await world.cloud.pauseConsumers(); // no consumer answers
});
afterAll(() => world.close());

/** A question of the custom moderation API. */
const moderationCall = (said: string) => ({
  contextMessages: [{ ann: messageBody({ text: said, sender: "ann" }) }],
});
const target = (path: string): SignedTarget => {
  const { username, password } = world.webhook;
  return { url: `${world.cloud.httpUrl}/${path}/local-app`, username, password };
};
async function ask(path: string, body: object | string, more: Partial<SignedTarget> = {}) {
  const response = await fetch(signedRequest({ ...target(path), ...more }, body));
  return { status: response.status, body: await response.text() };
}

const calls = [
  ["webhooks", events.messageSent(), "{}"],
  ["before-message", events.beforeMessage({ text: "hello" }), "{}"],
  ["moderation", moderationCall("hello"), '{"isMatchingCondition":false,"confidence":0}'],
] as const;
const questions = calls.slice(1);

describe.each(calls)("a call to %s, the deployed bundle", (path, body, answer) => {
  it("is answered by a warm function without a call for the secret", async () => {
    await vi.waitFor(async () => expect((await ask(path, body)).body).toBe(answer));
    const { username, password } = await loseSecret(world);

    expect((await ask(path, body, { username, password })).status).toBe(200);
  });

  it("leaves neither key nor password in the heap", async () => {
    const { username, password } = world.webhook;
    const { fullAccessKey } = world.app;
    const event = {
      pathParameters: { appId: "local-app" },
      isBase64Encoded: false,
      body: JSON.stringify(body),
      headers: { authorization: basic(username, password), "content-type": "application/json" },
    };

    const { status, heap } = await callInProcess(path.replace(/s$/, ""), event);

    expect(status).toMatch(/200$/);
    const written = Buffer.from(`${username}:${password}`).toString("base64");
    expect(heap, "is a snapshot of this call").toContain("cometchat-functions/local");
    expect([fullAccessKey, password, written].filter((secret) => heap.includes(secret))).toEqual([]);
  });
});

describe("POST /webhooks/{appId}, the deployed bundle", () => {
  it("returns 200 {} and queues the delivery byte for byte", async () => {
    await world.cloud.reset();
    const body = messageSent({ id: "1", sender: "alice", text: "Grüße 🎉 \u0000 </script>" });

    const answer = await deliver(world, body);

    const contentType = expect.stringMatching(/^application\/json/);
    expect(answer).toEqual({ status: 200, body: "{}", contentType });
    const [message] = world.cloud.receiveAll("EventsQueue");
    const envelope = { v: 1, appId: "local-app", family: "webhook", trigger: "message_sent", base64: false };
    expect(JSON.parse(message?.body ?? "")).toMatchObject({ ...envelope, body });
  });

  it("keeps the bytes of a base64 body, including invalid UTF-8", async () => {
    await world.cloud.reset();
    const bytes = Buffer.concat([Buffer.from('{"trigger":"é🎉"', "utf8"), Buffer.from([0xff, 0xfe])]);

    await deliver(world, new Uint8Array(bytes), { contentType: "application/octet-stream" });

    const [message] = world.cloud.receiveAll("QuarantineQueue");
    expect(JSON.parse(message?.body ?? "")).toMatchObject({ base64: true, body: bytes.toString("base64") });
  });

  it("accepts 1 MiB and refuses a byte more with 413", async () => {
    const frame = messageSent({ id: "big", sender: "alice", text: "" });
    const fits = frame.replace('"text":""', `"text":"${"y".repeat(1_048_576 - frame.length)}"`);

    expect((await deliver(world, fits)).status).toBe(200);
    expect(await deliver(world, `${fits} `)).toMatchObject({
      status: 413,
      body: expect.stringContaining("payload_too_large"),
    });
  });

  it("returns 503 while the queue is unreachable, and 200 afterwards", async () => {
    const body = messageSent({ id: "1", sender: "alice" });
    await world.cloud.stopQueue();
    try {
      expect(await ask("webhooks", body)).toMatchObject({
        status: 503,
        body: expect.stringContaining("unavailable"),
      });
    } finally {
      await world.cloud.startQueue();
    }

    expect((await deliver(world, body)).status).toBe(200);
  });
});

describe("a question for which the platform waits, the deployed bundles", () => {
  it.each(questions)("is refused or gets the safe answer at 5 MB: %s", async (path, body, safe) => {
    const large = "[".repeat(5_000_000);

    expect(await ask(path, body, { password: "wrong" })).toMatchObject({ status: 401 });
    expect(await ask(path, large)).toEqual({ status: 200, body: safe });
    expect(await ask(path, body)).toMatchObject({ status: 200 });
  });
});

it("only functions that answer questions include the engine of patterns", () => {
  const folder = join(world.cloud.buildFolder, ".build/functions");
  const maps = readdirSync(folder).filter((file) => file.endsWith(".map"));
  const carriers = maps.filter((map) => readFileSync(join(folder, map), "utf8").includes("/re2js/"));

  expect(carriers.toSorted()).toEqual(["before-message.mjs.map", "moderation.mjs.map"]);
});

const threat = "I will kill you";

describe("a platform that asks the deployed functions before it sends a message", () => {
  beforeAll(async () => {
    // A process may start slower than the platform waits: the functions run before they are asked.
    beMorePatient();
    const answered = (path: string, question: object, part: string) =>
      vi.waitFor(async () => expect((await ask(path, question)).body).toContain(part));
    await answered("moderation", moderationCall(threat), "true");
    await answered("before-message", events.beforeMessage({ text: threat }), "do_not_propagate");
  });

  const beMorePatient = () =>
    Object.assign(world.platform.switches, {
      beforeMessageTimeoutMs: 60_000,
      customModerationTimeoutMs: 60_000,
    });
  const send = (said: string) =>
    chat("POST /messages", "alice", {
      receiver: "bob",
      receiverType: "user",
      type: "text",
      data: { text: said },
    });

  it("blocks what config/moderation.yml matches by the custom moderation API, and lets the rest pass", async () => {
    usePlatform(world.platform);
    await own(`PUT /apps/${world.app.appId}/moderation-services/check`, target("moderation"));
    await chat("POST /moderation/rules", {
      id: "ask-us",
      name: "Ask us",
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

    const harmless = await send("See you tomorrow");
    const harmful = await send(threat);

    expect(harmless.body.data.data.moderation).toMatchObject({ status: "approved" });
    const blocked = { status: "disapproved", rule: { id: "ask-us" } };
    expect(harmful.body.data.data.moderation).toMatchObject(blocked);
  });

  it("drops what config/moderation.yml matches by before_message, and stores nothing in the rest", async () => {
    await world.reset();
    usePlatform(world.platform);
    beMorePatient();
    const { url, username, password } = target("before-message");
    const login = { useBasicAuth: true, enabled: true, username, password };
    await addLegacyWebhook(url, ["before_message"], login);

    const dropped = await send(threat);
    const passed = await sendText("See you tomorrow");

    expect(dropped.status).toBe(403);
    expect(passed.data).not.toHaveProperty("metadata");
    const { body } = await chat("GET /messages?limit=100");
    expect(body.data.map(({ data }: { data: { text: string } }) => data.text)).toEqual(["See you tomorrow"]);
  });
});

/** Calls a function's bundle once in a process of its own, which then writes its heap. */
async function callInProcess(name: string, event: object) {
  const { resources, outputs, endpoints, region, buildFolder } = world.cloud;
  const file = join(temporaryFolder(), `${name}.heapsnapshot`);
  const keeper = join(import.meta.dirname, "../cloud/fixtures/keep-heap.mjs");
  const bundle = join(buildFolder, ".build/functions", `${name}.mjs`);
  const child = spawn(process.execPath, ["--heap-snapshot-string-limit=1000000", keeper, bundle, file], {
    env: {
      ...endpoints,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: "local",
      AWS_SECRET_ACCESS_KEY: "local",
      SECRET_PREFIX: outputs.SecretPrefix,
      EVENTS_QUEUE_URL: resources.EventsQueue?.url,
      QUARANTINE_QUEUE_URL: resources.QuarantineQueue?.url,
    },
    stdio: "pipe",
  });
  child.stdin.end(JSON.stringify(event));
  const status = (await text(child.stdout)) + (await text(child.stderr));
  return { status, heap: readFileSync(file, "latin1") };
}
