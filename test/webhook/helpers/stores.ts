import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import { onTestFinished } from "vitest";
import { AwsCallError } from "../../../lib/aws/aws-call.ts";
import { parseJson } from "../../../lib/base/json.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { bytesOf, readQueuedEvent } from "../../../lib/queue/read-queued-event.ts";
import {
  createSqliteStore,
  type SqliteStore,
  type SqliteStoreOptions,
} from "../../../lib/receive/own-hosts/stores/create-sqlite-store.ts";
import { createSqsStore } from "../../../lib/receive/own-hosts/stores/create-sqs-store.ts";
import type { KeptDelivery, StoreUnderTest } from "../../../lib/receive/own-hosts/stores/store-checks.ts";
import type { WebhookStore } from "../../../lib/receive/own-hosts/webhook-store.ts";
import { startSqsEndpoint } from "../../../local/cloud/sqs-endpoint.ts";
import { clientTo } from "../../helpers/client-to.ts";

export const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export const far = { deadlineMs: Number.MAX_SAFE_INTEGER };

/** Makes a folder for a store's file. */
export function makeFolder(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "webhook-store-"));
  return { file: join(folder, "events.db"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Names a file for a store, which is there until the test ends. */
export function makeFile(): string {
  const { file, remove } = makeFolder();
  onTestFinished(remove);
  return file;
}

/** Opens a store, and closes it after the test. */
export function openStore(
  options: Partial<SqliteStoreOptions> = {},
  file = makeFile(),
): SqliteStore & { readonly file: string } {
  const store = openQuietly(file, options);
  onTestFinished(() => store.close());
  return { ...store, file };
}

/** Starts the two queues of a store; `close` ends them. */
export async function startQueues() {
  const endpoint = await startSqsEndpoint();
  const client = clientTo(endpoint.url)(SQSClient);
  const make = async (QueueName: string, Attributes: Record<string, string>) =>
    String((await client.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl);
  const queueUrl = await make("events.fifo", { FifoQueue: "true" });
  const quarantineQueueUrl = await make("quarantine", {});
  client.destroy();
  return { endpoint, queueUrl, quarantineQueueUrl };
}

/** Opens a store that does not log. */
export function openQuietly(file: string, options: Partial<SqliteStoreOptions> = {}): SqliteStore {
  return createSqliteStore({ file, log: silent, ...options });
}

/** Drains a store with a handler that accepts every event. */
export async function drain(store: SqliteStore): Promise<KeptDelivery[]> {
  const kept: KeptDelivery[] = [];
  const { waiting } = await store.depth();
  if (waiting > 0) {
    await new Promise<void>((resolve) => {
      const consumer = store.consume((_event, { appId, raw, receivedAt }) => {
        kept.push({ appId, raw, receivedAt, isRead: true });
        if (kept.length === waiting) void consumer.stop().then(resolve);
      });
    });
  }
  const unread = (await store.listSetAside({ kind: "unread" })).map(({ appId, raw, receivedAt }) => ({
    appId,
    raw,
    receivedAt,
    isRead: false,
  }));
  return [...unread, ...kept];
}

/** Creates an empty store in a file, for the checks. */
export async function openSqlite(): Promise<StoreUnderTest> {
  const { file, remove } = makeFolder();
  const opened = [openQuietly(file)];
  const latest = () => opened.at(-1) ?? openQuietly(file);
  return {
    store: latest(),
    read: () => drain(latest()),
    reopen: async () => {
      await latest().close();
      opened.push(openQuietly(file));
      return latest();
    },
    breakDown: () => latest().close(),
    close: async () => {
      for (const store of opened) await store.close();
      remove();
    },
  };
}

/** Creates an empty store on queues of this machine, for the checks. */
export async function openSqs(): Promise<StoreUnderTest> {
  const { endpoint, ...queues } = await startQueues();
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const open = () =>
    putPatiently(createSqsStore({ ...queues, region: "eu-central-1", endpoint: endpoint.url, credentials }));
  return {
    store: open(),
    read: async () => [
      ...endpoint.peek("quarantine").map(({ body }) => ({ ...readMessage(body), isRead: false })),
      ...endpoint.peek("events.fifo").map(({ body }) => readMessage(body)),
    ],
    reopen: async () => open(),
    breakDown: () => endpoint.stop(),
    close: () => endpoint.close(),
  };
}

/** Puts again after a late answer of the queue on a busy machine, as the platform delivers again. */
function putPatiently(store: WebhookStore): WebhookStore {
  return {
    put: async (delivery, limits) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await store.put(delivery, limits);
        } catch (error) {
          const isLate = error instanceof AwsCallError && error.code === "ETIMEDOUT";
          if (!isLate || delivery.identity === undefined || tries === 5) throw error;
        }
      }
    },
  };
}

function readMessage(text: string): KeptDelivery {
  const message = Object(parseJson(text));
  // The quarantine's message has the events queue's fields and its own; missing ones do not matter here.
  const event = readQueuedEvent({ family: "webhook", trigger: "", key: "", ...message });
  const { appId, receivedAt } = event;
  const raw = bytesOf(event);
  return { appId, raw, receivedAt, isRead: parseEvent(parseJson(raw.toString("utf8")), { appId }).ok };
}
