import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { propagation } from "@opentelemetry/api";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Platform } from "../../local/platform/create-platform.ts";
import { events } from "../../local/testing/events/events.ts";
import { basic } from "../helpers/deliver.ts";
import { addWebhook, sendText, startPlatform } from "../platform/helpers.ts";
import { type Child, startScript } from "./helpers/children.ts";
import { writeDocApp } from "./helpers/doc-app.ts";
import { startQueues } from "./helpers/stores.ts";

const login = { WEBHOOK_PASSWORD: "pw12345" };

let app: ReturnType<typeof writeDocApp>;
beforeAll(() => {
  app = writeDocApp();
});
afterAll(() => app.remove());

/** Registers a host's address with the platform, and sends messages there. */
async function tell(platform: Platform, host: Child, texts: readonly string[]) {
  const [, port] = host.firstLine.split(" ");
  const access = { useBasicAuth: true, username: "chat", password: login.WEBHOOK_PASSWORD };
  await addWebhook(`http://127.0.0.1:${port}/webhooks/local-app`, ["message_sent"], access);
  for (const text of texts) await sendText(text);
  // A busy host may refuse once, and is called again.
  await vi.waitUntil(() => platform.deliveries().every(({ state }) => state !== "pending"));
}

function statesOf(platform: Platform) {
  return platform.deliveries().map(({ state, attempts }) => [state, attempts.at(-1)?.status]);
}

describe("docs/webhook.md", () => {
  it.each([
    ["hono.ts", ["alice wrote Grüße 👋 (local-app|message_sent|", "alice wrote again"]],
    ["express.ts", ["message_sent of local-app", "message_sent of local-app"]],
    ["fastify.ts", ["message_sent of local-app", "message_sent of local-app"]],
    ["nest.ts", ["message_sent of local-app", "message_sent of local-app"]],
  ])("has a host that receives the platform's deliveries and handles them: %s", async (file, handled) => {
    const platform = await startPlatform();
    const EVENTS_FILE = join(app.folder, `${file}.db`);
    const host = await startScript(join(app.folder, "app", file), [], { ...login, EVENTS_FILE, PORT: "0" });

    await tell(platform, host, ["Grüße 👋", "again"]);
    await vi.waitUntil(() => host.lines.length > 2);
    await host.kill("SIGTERM");

    expect(statesOf(platform)).toEqual([
      ["delivered", 200],
      ["delivered", 200],
    ]);
    expect(host.lines.slice(1).map((line, at) => line.slice(0, handled[at]?.length))).toEqual(handled);
    expect(host.process.exitCode).toBe(0);
  });

  it("has a route for Next, and a Worker, which store a delivery", async () => {
    const address = "http://localhost/webhooks/local-app";
    const delivery = () =>
      new Request(address, {
        method: "POST",
        headers: { authorization: basic("chat", login.WEBHOOK_PASSWORD) },
        body: JSON.stringify(events.messageSent({ text: "Grüße" })),
      });
    vi.stubEnv("WEBHOOK_PASSWORD", login.WEBHOOK_PASSWORD);
    vi.stubEnv("EVENTS_FILE", join(app.folder, "next.db"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const queue: unknown[] = [];
    const EVENTS = { send: async (body: unknown) => void queue.push(body) };

    const route = await import(join(app.folder, "app/webhooks/[appId]/route.ts"));
    const worker = await import(join(app.folder, "app/worker.ts"));
    const statuses = [
      (await route.POST(delivery())).status,
      (await worker.default.fetch(delivery(), { ...login, EVENTS })).status,
      (await worker.default.fetch(new Request(address, { method: "POST" }), { ...login, EVENTS })).status,
    ];

    expect(statuses).toEqual([200, 200, 401]);
    expect(queue).toEqual([expect.objectContaining({ appId: "local-app", key: expect.any(String) })]);
  });

  it("has hooks that continue a trace", async () => {
    propagation.setGlobalPropagator({
      inject: (_context, carrier, setter) => setter.set(carrier, "traceparent", "00-1-2-01"),
      extract: (context) => context,
      fields: () => ["traceparent"],
    });
    onTestFinished(() => propagation.disable());
    const { count, hooks } = await import(join(app.folder, "app/telemetry.ts"));

    const added = await hooks.beforeRequest({ operation: "get-user" });

    expect(added).toEqual({ headers: { traceparent: "00-1-2-01" } });
    expect(count("DeliveryUnauthorized", { appId: "local-app" })).toBeUndefined();
  });

  it("has a function that receives the platform's deliveries, as text or in base64, into the queue", async () => {
    const platform = await startPlatform();
    const { endpoint: queues, queueUrl, quarantineQueueUrl } = await startQueues();
    onTestFinished(() => queues.close());
    const host = await startScript(
      join(import.meta.dirname, "children/host-lambda.ts"),
      [join(app.folder, "app/lambda.ts")],
      {
        ...login,
        EVENTS_QUEUE_URL: queueUrl,
        QUARANTINE_QUEUE_URL: quarantineQueueUrl,
        AWS_REGION: "eu-central-1",
        AWS_ACCESS_KEY_ID: "local",
        AWS_SECRET_ACCESS_KEY: "local",
        AWS_ENDPOINT_URL_SQS: queues.url,
      },
    );

    await tell(platform, host, ["Grüße 👋"]);
    const packed = await fetch(`http://127.0.0.1:${host.firstLine.split(" ")[1]}/webhooks/local-app`, {
      method: "POST",
      headers: {
        authorization: basic("chat", login.WEBHOOK_PASSWORD),
        "content-type": "application/octet-stream",
      },
      body: new Uint8Array([0xff, 0x00]),
    });

    expect(statesOf(platform)).toEqual([["delivered", 200]]);
    expect([packed.status, packed.headers.get("x-was-base64")]).toEqual([200, "true"]);
    const [event] = queues.peek("events.fifo").map(({ body }) => JSON.parse(body));
    expect(event).toMatchObject({ v: 1, appId: "local-app", trigger: "message_sent", base64: false });
    expect(event.body).toContain("Grüße 👋");
    const [unread] = queues.peek("quarantine").map(({ body }) => JSON.parse(body));
    expect(unread).toMatchObject({ reason: "not-json", body: "/wA=", base64: true });
  });

  it("lists, replays and drops dead letters", async () => {
    const EVENTS_FILE = join(app.folder, "aside.db");

    const { stdout } = await promisify(execFile)(process.execPath, [join(app.folder, "app/set-aside.ts")], {
      env: { ...process.env, EVENTS_FILE },
    });

    expect(stdout).toBe("replayed 0, dropped 0\n");
  });

  it("has a custom store that passes the checks in Node's own test framework", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--test", "--test-reporter=tap", "app/log-store.test.ts"],
      { cwd: app.folder, env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
    ).catch((error: { stdout: string }) => error);

    expect(stdout).toMatch(/^# pass 13$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });
});
