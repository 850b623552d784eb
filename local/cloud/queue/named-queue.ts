import type { Queue } from "./queue.ts";
import type { QueueAttributes } from "./queue-attributes.ts";
import type { SentMessage } from "./sent-messages.ts";

export interface NamedQueue {
  readonly name: string;
  readonly arn: string;
  readonly attributes: QueueAttributes;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
  readonly queue: Queue;
}

export interface Queues {
  get(id: string): NamedQueue;
  urlOf(name: string): string;
  ensure(name: string, attributes: QueueAttributes, region: string): NamedQueue;
  readonly onSent?: ((message: SentMessage) => void) | undefined;
}
