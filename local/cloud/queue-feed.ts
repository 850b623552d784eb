import { AwsError } from "./aws-error.ts";
import { poll } from "./queue/poll.ts";
import type { ReceivedMessage } from "./queue/queue-message.ts";
import type { SqsEndpoint } from "./sqs-endpoint.ts";

/** Every method throws while the endpoint is unreachable. */
export class QueueFeed {
  readonly #sqs: SqsEndpoint;
  readonly #queueName: string;
  readonly #now: () => number;

  constructor(sqs: SqsEndpoint, queueName: string, now: () => number) {
    this.#sqs = sqs;
    this.#queueName = queueName;
    this.#now = now;
  }

  async receive(options: { max: number; waitMs: number; signal: AbortSignal }): Promise<ReceivedMessage[]> {
    const attempt = () => {
      const messages = this.#queue().receive(options);
      return messages.length > 0 ? messages : undefined;
    };
    return (await poll(this.#queue(), attempt, { ...options, now: this.#now })) ?? [];
  }

  /** Deletes messages, except those that were handed out again meanwhile. */
  delete(receiptHandles: readonly string[]): void {
    this.#each(receiptHandles, (handle) => this.#queue().delete(handle));
  }

  /** The last one first, so that each returns to the front of its lane. */
  release(receiptHandles: readonly string[]): void {
    this.#each(receiptHandles.toReversed(), (handle) => this.#queue().changeVisibility(handle, 0));
  }

  #queue() {
    if (!this.#sqs.isReachable) throw new Error(`The queue ${this.#queueName} is unreachable.`);
    return this.#sqs.service.get(this.#queueName).queue;
  }

  #each(receiptHandles: readonly string[], act: (receiptHandle: string) => void): void {
    this.#queue();
    for (const receiptHandle of receiptHandles) {
      try {
        act(receiptHandle);
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
      }
    }
  }
}
