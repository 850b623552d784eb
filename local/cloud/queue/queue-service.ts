import { localAccountId } from "../local-aws.ts";
import { completeAttributes, type QueueAttributes, toSettings } from "./queue-attributes.ts";
import { QueueError } from "./queue-error.ts";
import { createQueue } from "./queue-model.ts";
import { createQueueOperations } from "./queue-operations.ts";
import type { NamedQueue, QueueRoom } from "./queue-room.ts";
import { openQueueStore } from "./queue-store.ts";

/** SQS without a network: its queues by name, and its JSON operations as function calls. */
export interface QueueService {
  /**
   * Does one operation, e.g. `call("SendMessage", {…})`. A receive does not wait.
   * @throws QueueError with SQS's own code
   */
  call(operation: string, input: unknown, caller?: { region?: string | undefined }): object;
  list(): NamedQueue[];
  /** Finds a queue by its name, its ARN or its URL. @throws QueueError if there is none */
  get(id: string): NamedQueue;
  /** Makes a queue, or gives the one of this name these attributes. */
  ensure(name: string, attributes: QueueAttributes, region: string): NamedQueue;
  /** Ends writing. Later calls fail if there is a folder. */
  close(): void;
}

/** Starts SQS with the queues of `dataFolder`, or empty and in memory. `url` is what its queues' addresses begin with. */
export function createQueueService({
  url,
  now = Date.now,
  newId,
  dataFolder,
}: {
  url: string;
  now?: () => number;
  newId?: () => string;
  dataFolder?: string | undefined;
}): QueueService {
  const store = dataFolder === undefined ? undefined : openQueueStore(dataFolder);
  const queues = new Map<string, NamedQueue>();

  const settingsOf = (arn: string, attributes: QueueAttributes) =>
    toSettings(attributes, { arn, findByArn: (target) => queues.get(nameIn(target))?.queue });
  const open = (
    { name, region, attributes }: { name: string; region: string; attributes: QueueAttributes },
    stored: Parameters<typeof createQueue>[1] = {},
  ) => {
    const arn = `arn:aws:sqs:${region}:${localAccountId}:${name}`;
    const queue = createQueue(settingsOf(arn, attributes), {
      now,
      ...(newId && { newId }),
      ...(store && { journal: store.journalOf(name) }),
      ...stored,
    });
    const named: NamedQueue = { name, arn, attributes, createdAtMs: now(), modifiedAtMs: now(), queue };
    queues.set(name, named);
    return named;
  };
  const room: QueueRoom = {
    now,
    queues,
    urlOf: (name) => `${url}/${localAccountId}/${name}`,
    get(id) {
      const found = queues.get(nameIn(id));
      if (found) return found;
      throw new QueueError("QueueDoesNotExist", "The specified queue does not exist.");
    },
    ensure(name, given, region) {
      const existing = queues.get(name);
      const attributes = completeAttributes(name, { ...existing?.attributes, ...given });
      store?.putQueue({ name, region, attributes });
      if (!existing) return open({ name, region, attributes });
      existing.queue.configure(settingsOf(existing.arn, attributes));
      const changed = { ...existing, attributes, modifiedAtMs: now() };
      queues.set(name, changed);
      return changed;
    },
    remove(name) {
      queues.get(name)?.queue.forget();
      queues.delete(name);
      store?.removeQueue(name);
    },
  };
  for (const { messages, ...kept } of store?.load() ?? []) open(kept, { stored: messages });
  const operations = createQueueOperations(room);

  return {
    call(operation, input, caller = {}) {
      const run = operations.get(operation);
      if (run) return run(input, caller.region ?? "us-east-1");
      throw new QueueError("UnsupportedOperation", `${operation} is not part of the local world.`);
    },
    list: () => [...queues.values()],
    get: room.get,
    ensure: room.ensure,
    close: () => store?.close(),
  };
}

/** The name at the end of a queue's URL or ARN. */
function nameIn(id: string): string {
  return id.slice(Math.max(id.lastIndexOf("/"), id.lastIndexOf(":")) + 1);
}
