import * as z from "zod/mini";
import { AwsError } from "../aws-error.ts";
import { type AwsCaller, type AwsOperation, findOperation } from "../aws-operation.ts";
import { CollectionStore } from "../collection-store.ts";
import { localAccountId } from "../local-aws.ts";
import type { NamedQueue, Queues } from "./named-queue.ts";
import { Queue } from "./queue.ts";
import { completeAttributes, type QueueAttributes, toSettings } from "./queue-attributes.ts";
import { type StoredMessage, storedMessageSchema } from "./queue-message.ts";
import { createQueueOperations } from "./queue-operations.ts";
import type { SentMessage } from "./sent-messages.ts";

export interface QueueServiceOptions {
  readonly url: string;
  readonly now?: () => number;
  readonly newId?: () => string;
  readonly dataFolder?: string | undefined;
  readonly onSent?: ((message: SentMessage) => void) | undefined;
}

const storedSchema = z.object({ region: z.string(), attributes: z.record(z.string(), z.string()) });

export class QueueService implements Queues {
  readonly onSent: QueueServiceOptions["onSent"];
  readonly #options: QueueServiceOptions;
  readonly #now: () => number;
  readonly #store: CollectionStore | undefined;
  readonly #queues = new Map<string, NamedQueue>();
  readonly #operations: ReadonlyMap<string, AwsOperation>;

  constructor(options: QueueServiceOptions) {
    const { dataFolder, now = Date.now, onSent } = options;
    this.#options = options;
    this.#now = now;
    this.onSent = onSent;
    this.#store = dataFolder === undefined ? undefined : new CollectionStore(dataFolder, "queues");
    for (const { name, description, records } of this.#store?.load() ?? []) {
      const { region, attributes } = storedSchema.parse(description);
      this.#open(
        name,
        attributes,
        region,
        records.map((record) => storedMessageSchema.parse(record)),
      );
    }
    this.#operations = createQueueOperations(this);
  }

  /** Answers a call; a receive does not wait. */
  call(operation: string, input: unknown, caller: Partial<AwsCaller> = {}): object {
    const run = findOperation(this.#operations, operation, "UnsupportedOperation");
    return run(input, { region: "us-east-1", ...caller });
  }

  list(): NamedQueue[] {
    return [...this.#queues.values()];
  }

  get(id: string): NamedQueue {
    const found = this.#queues.get(nameIn(id));
    if (found) return found;
    throw new AwsError("QueueDoesNotExist", "The specified queue does not exist.");
  }

  urlOf(name: string): string {
    return `${this.#options.url}/${localAccountId}/${name}`;
  }

  /** Creates or updates a queue. */
  ensure(name: string, given: QueueAttributes, region: string): NamedQueue {
    const existing = this.#queues.get(name);
    const attributes = completeAttributes(name, { ...existing?.attributes, ...given });
    this.#store?.put(name, { region, attributes });
    if (!existing) return this.#open(name, attributes, region, []);
    existing.queue.configure(this.#settingsOf(existing.arn, attributes));
    const changed = { ...existing, attributes, modifiedAtMs: this.#now() };
    this.#queues.set(name, changed);
    return changed;
  }

  close(): void {
    this.#store?.close();
  }

  #open(
    name: string,
    attributes: QueueAttributes,
    region: string,
    stored: readonly StoredMessage[],
  ): NamedQueue {
    const arn = `arn:aws:sqs:${region}:${localAccountId}:${name}`;
    const journal = this.#store?.journalOf(name);
    const queue = new Queue(this.#settingsOf(arn, attributes), {
      now: this.#now,
      newId: this.#options.newId,
      journal: journal && {
        put: (message) => journal.put(message.messageId, message),
        remove: journal.remove,
      },
      stored,
    });
    const nowMs = this.#now();
    const named = { name, arn, attributes, createdAtMs: nowMs, modifiedAtMs: nowMs, queue };
    this.#queues.set(name, named);
    return named;
  }

  #settingsOf(arn: string, attributes: QueueAttributes) {
    return toSettings(attributes, { arn, find: (target) => this.#queues.get(nameIn(target))?.queue });
  }
}

function nameIn(id: string) {
  return id.slice(Math.max(id.lastIndexOf("/"), id.lastIndexOf(":")) + 1);
}
