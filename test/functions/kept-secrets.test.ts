import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";
import { events } from "../../local/testing/events/events.ts";
import { messageBody } from "../../local/testing/events/message-body.ts";
import { basic } from "../helpers/deliver.ts";

const apiKey = "an-api-key-that-no-receiver-has";
const username = "platform";
const password = "a-password-that-stays-nowhere";
const keeper = join(import.meta.dirname, "../cloud/fixtures/keep-heap.mjs");

describe("the heap of a function that the platform calls", () => {
  let cloud: Cloud;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "kept-secrets-"));
    cloud = await startCloud();
    const webhook = { webhookUsername: username, webhookPassword: password };
    await cloud.putAppSecret({ appId: "local-app", region: "us", apiKey, ...webhook });
  });
  afterAll(async () => {
    await cloud?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["webhook", events.messageSent()],
    ["before-message", events.beforeMessage({ text: "hello" })],
    ["moderation", { contextMessages: [{ alice: messageBody({ text: "hello", sender: "alice" }) }] }],
  ])("holds neither key nor password after a call that was right: %s", async (name, body) => {
    const file = join(folder, `${name}.heapsnapshot`);
    const event = {
      pathParameters: { appId: "local-app" },
      isBase64Encoded: false,
      body: JSON.stringify(body),
      headers: { authorization: basic(username, password), "content-type": "application/json" },
    };

    const status = await callInProcess(name, file, event);

    expect(status).toMatch(/200$/);
    const heap = readFileSync(file, "latin1");
    const written = Buffer.from(`${username}:${password}`).toString("base64");
    expect(heap, "is a snapshot of this call").toContain("cometchat-functions/local");
    expect([apiKey, password, written].filter((secret) => heap.includes(secret))).toEqual([]);
  });

  async function callInProcess(name: string, file: string, event: object) {
    const { resources, outputs } = cloud;
    const child = spawn(
      process.execPath,
      [
        "--heap-snapshot-string-limit=1000000",
        ...[keeper, join(cloud.buildFolder, ".build/functions", `${name}.mjs`), file],
      ],
      {
        env: {
          ...cloud.endpoints,
          AWS_REGION: cloud.region,
          AWS_ACCESS_KEY_ID: "local",
          AWS_SECRET_ACCESS_KEY: "local",
          SECRET_PREFIX: outputs.SecretPrefix,
          EVENTS_QUEUE_URL: resources.EventsQueue?.url,
          QUARANTINE_QUEUE_URL: resources.QuarantineQueue?.url,
        },
        stdio: "pipe",
      },
    );
    child.stdin.end(JSON.stringify(event));
    return (await text(child.stdout)) + (await text(child.stderr));
  }
});
