import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { QueueJournal } from "./queue.ts";
import type { QueueAttributes } from "./queue-attributes.ts";
import type { StoredMessage } from "./queue-message.ts";

/** A queue of an earlier run. */
export interface KeptQueue {
  readonly name: string;
  readonly region: string;
  readonly attributes: QueueAttributes;
  readonly messages: readonly StoredMessage[];
}

/** Keeps queues and their messages over restarts. */
export interface QueueStore {
  load(): KeptQueue[];
  putQueue(queue: Omit<KeptQueue, "messages">): void;
  removeQueue(name: string): void;
  journalOf(name: string): QueueJournal;
  close(): void;
}

/** Opens the store in a folder that only this user may read; it is made when absent. */
export function openQueueStore(folder: string): QueueStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "queues.sqlite");
  // Asked for where it is used: whoever opens no file needs no Node that has it.
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(file);
  chmodSync(file, 0o600);
  // A crash of this process loses nothing; one of the whole machine may lose the last moment.
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS queues (name TEXT PRIMARY KEY, description TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS messages (
      queue TEXT NOT NULL, id TEXT NOT NULL, message TEXT NOT NULL, PRIMARY KEY (queue, id)
    ) STRICT, WITHOUT ROWID;
  `);
  const putQueue = database.prepare("INSERT OR REPLACE INTO queues VALUES (?, ?)");
  const removeQueue = database.prepare("DELETE FROM queues WHERE name = ?");
  const put = database.prepare("INSERT OR REPLACE INTO messages VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM messages WHERE queue = ? AND id = ?");

  return {
    load() {
      const queues = database.prepare("SELECT name, description FROM queues").all();
      return z
        .array(queueRowSchema)
        .parse(queues)
        .map(({ name, description }) => {
          const rows = database.prepare("SELECT message FROM messages WHERE queue = ?").all(name);
          const messages = z
            .array(messageRowSchema)
            .parse(rows)
            .map(({ message }) => readStoredMessage(JSON.parse(message)));
          return { name, ...descriptionSchema.parse(JSON.parse(description)), messages };
        });
    },
    putQueue({ name, ...description }) {
      putQueue.run(name, JSON.stringify(description));
    },
    removeQueue: (name) => removeQueue.run(name),
    journalOf: (name) => ({
      put: (message) => put.run(name, message.messageId, JSON.stringify(message)),
      remove: (messageId) => remove.run(name, messageId),
    }),
    close: () => database.close(),
  };
}

const queueRowSchema = z.object({ name: z.string(), description: z.string() });
const messageRowSchema = z.object({ message: z.string() });
const descriptionSchema = z.object({
  region: z.string(),
  attributes: z.record(z.string(), z.string()),
});
const messageSchema = z.object({
  messageId: z.string(),
  body: z.string(),
  lane: z.optional(z.string()),
  deduplicationId: z.optional(z.string()),
  sequenceNumber: z.optional(z.string()),
  attributes: z.record(
    z.string(),
    z.object({
      DataType: z.string(),
      StringValue: z.optional(z.string()),
      BinaryValue: z.optional(z.string()),
    }),
  ),
  traceHeader: z.optional(z.string()),
  sentAtMs: z.number(),
  delayedUntilMs: z.number(),
  deadLetterSourceArn: z.optional(z.string()),
  receiveCount: z.number(),
  firstReceivedAtMs: z.optional(z.number()),
});

/** Reads a message that was stored. @throws z.core.$ZodError for anything else */
export function readStoredMessage(value: unknown): StoredMessage {
  const {
    lane,
    deduplicationId,
    sequenceNumber,
    traceHeader,
    deadLetterSourceArn,
    firstReceivedAtMs,
    ...rest
  } = messageSchema.parse(value);
  return {
    ...rest,
    lane,
    deduplicationId,
    sequenceNumber,
    traceHeader,
    deadLetterSourceArn,
    firstReceivedAtMs,
  };
}
