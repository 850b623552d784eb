import { mkdtempSync, rmSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createWebhookReceiver } from "../../../../lib/receive/own-hosts/create-webhook-receiver.ts";
import { createSqliteStore } from "../../../../lib/receive/own-hosts/stores/create-sqlite-store.ts";
import { createSqsStore } from "../../../../lib/receive/own-hosts/stores/create-sqs-store.ts";
import { messageDelivery } from "../../../../lib/receive/own-hosts/stores/sample-deliveries.ts";
import { webhookStoreChecks } from "../../../../lib/receive/own-hosts/stores/store-checks.ts";
import { toLambdaHandler } from "../../../../lib/receive/own-hosts/to-lambda-handler.ts";
import { toNodeHandler } from "../../../../lib/receive/own-hosts/to-node-handler.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { signedRequest } from "../../../../local/testing/signed-request.ts";
import { marker } from "../oddities.ts";
import { calling, type RightCalls } from "../right-call.ts";

const store = { put: async () => {} };
const log = { debug() {}, info() {}, warn() {}, error() {} };
const apps = () => ({
  "app-1": { credentials: [{ username: "platform", password: "aPassword1" }], signingKeys: ["key"] },
});
const receive = createWebhookReceiver({ apps: apps(), store, log });
const request = () =>
  signedRequest(
    { url: "https://a.example/webhooks/app-1", username: "platform", password: "aPassword1" },
    events.messageSent(),
  );
const folder = mkdtempSync(join(tmpdir(), "wrong-calls-"));
const opened = createSqliteStore({ file: join(folder, "events.db"), log });
afterAll(async () => {
  await opened.close();
  for (const made of [folder, marker]) rmSync(made, { recursive: true, force: true });
});
const onStore =
  (name: string) =>
  async (...args: readonly unknown[]) => {
    const called: unknown = await Reflect.apply(Reflect.get(opened, name), opened, args);
    if (name === "consume") await Reflect.apply(Reflect.get(Object(called), "stop"), called, []);
    return called;
  };
/** An input without names is an object without options. */
const ofDeliveries = { free: ["0", "0.event", "0.identity"], whole: ["0.event", "0.identity"] } as const;

export const webhookCalls: RightCalls = {
  createWebhookReceiver: {
    args: [{ apps: apps(), store, path: "/webhooks/{appId}", log, count() {}, now: Date.now }],
    free: ["0.apps"],
    whole: ["0.store", "0.log"],
  },
  "createWebhookReceiver, what it makes": {
    args: [request()],
    call: calling(receive),
  },
  toLambdaHandler: { args: [receive] },
  "toLambdaHandler, what it makes": {
    args: [
      {
        rawPath: "/webhooks/app-1",
        headers: { authorization: "Basic x" },
        requestContext: { http: { method: "POST" } },
        body: "{}",
        isBase64Encoded: false,
      },
    ],
    call: calling(toLambdaHandler(receive)),
    // AWS writes the event: its extra fields are allowed.
    free: ["0", "0.headers", "0.requestContext", "0.requestContext.http"],
  },
  toNodeHandler: { args: [receive] },
  "toNodeHandler, what it makes": {
    get args() {
      const incoming = new IncomingMessage(new Socket());
      return [incoming, new ServerResponse(incoming)];
    },
    call: calling(toNodeHandler(receive)),
  },
  createSqliteStore: {
    args: [{ file: join(folder, "other.db"), log, now: Date.now }],
    call: (...args) => Reflect.apply(createSqliteStore, undefined, args).close(),
    whole: ["0.log"],
  },
  "createSqliteStore, put": {
    args: [messageDelivery({}), { deadlineMs: Number.MAX_SAFE_INTEGER }],
    call: onStore("put"),
    ...ofDeliveries,
  },
  "createSqliteStore, consume": {
    args: [
      async () => {},
      {
        concurrency: 1,
        handlerMs: 10,
        mostTries: 1,
        graceMs: 1,
        leaseMs: 100,
        pollMs: 10,
        delayMs: () => 1,
        signal: new AbortController().signal,
      },
    ],
    call: onStore("consume"),
  },
  "createSqliteStore, listSetAside": {
    args: [{ kind: "failed", limit: 1, after: 0 }],
    call: onStore("listSetAside"),
  },
  "createSqliteStore, replay": {
    args: [[1]],
    call: onStore("replay"),
  },
  "createSqliteStore, drop": {
    args: [[1]],
    call: onStore("drop"),
  },
  createSqsStore: {
    args: [sqsOptions()],
    // From AWS's SDK, they have more fields.
    free: ["0.credentials"],
  },
  "createSqsStore, put": {
    args: [messageDelivery({}), { deadlineMs: 1 }],
    call: async (...args) => {
      try {
        return await Reflect.apply(createSqsStore(sqsOptions()).put, undefined, args);
      } catch (error) {
        if (error instanceof Error && error.name === "AwsCallError") return undefined;
        throw error;
      }
    },
    ...ofDeliveries,
  },
  webhookStoreChecks: { args: [async () => {}] },
  "webhookStoreChecks, what open gives": {
    args: [{ store, read() {}, reopen() {}, breakDown() {}, close() {} }],
    call: async (subject) => {
      const [check] = Reflect.apply(webhookStoreChecks, undefined, [async () => subject]);
      try {
        await check?.run();
      } catch (error) {
        if (!/What `open` gives|webhookStoreChecks/.test(String(error))) return;
        throw error;
      }
    },
    free: ["0", "0.store"],
  },
};

function sqsOptions() {
  return {
    queueUrl: "http://127.0.0.1:1/queue.fifo",
    quarantineQueueUrl: "http://127.0.0.1:1/queue",
    region: "us-east-1",
    endpoint: "http://127.0.0.1:1",
    credentials: { accessKeyId: "a", secretAccessKey: "b", sessionToken: "c" },
  };
}
