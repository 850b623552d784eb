import type { Queue } from "./queue.ts";
import type { QueueAttributes } from "./queue-attributes.ts";

/** A queue with what SQS knows of it besides its messages. */
export interface NamedQueue {
  readonly name: string;
  readonly arn: string;
  readonly attributes: QueueAttributes;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly queue: Queue;
}

/** What everything in this room shares. */
export interface QueueRoom {
  readonly now: () => number;
  readonly queues: ReadonlyMap<string, NamedQueue>;
  get(id: string): NamedQueue;
  ensure(name: string, attributes: QueueAttributes, region: string): NamedQueue;
  remove(name: string): void;
  urlOf(name: string): string;
}
