import type { AwsCaller } from "../aws/aws-call.ts";
import { sha256Hex } from "../digest.ts";
import type { Identity } from "../events/identity.ts";
import { toMessageBody } from "./message-text.ts";
import { type QueuedEvent, toQueuedBody } from "./queued-event.ts";

/** An accepted delivery. */
export interface Delivery {
  readonly appId: string;
  readonly bytes: Buffer;
  /** The bytes decoded as UTF-8, where that was done already. */
  readonly text?: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/**
 * Stores a delivery in its lane of the events queue. May be repeated: the queue drops what it got in the last five
 * minutes.
 * @throws AwsCallError when the queue did not take it
 * @throws MessageTooLargeError when no queue ever will: not even compressed does the delivery fit into a message
 */
export type Enqueue = (delivery: Delivery, identity: Identity) => Promise<void>;

export function createEnqueue(callAws: AwsCaller, eventsQueueUrl: string): Enqueue {
  return async ({ appId, bytes, text, receivedAt }, { family, trigger, key, lane, expiresAfterMs }) => {
    const message: QueuedEvent = {
      v: 1,
      appId,
      family,
      trigger,
      key,
      receivedAt,
      ...(await toQueuedBody(bytes, text)),
    };
    await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: {
        QueueUrl: eventsQueueUrl,
        MessageBody: toMessageBody(message),
        // Both ids have at most 128 characters; keys and lanes may be longer.
        MessageGroupId: sha256Hex(lane),
        MessageDeduplicationId: sha256Hex(deduplicationKey(key, expiresAfterMs, receivedAt)),
      },
    });
  };
}

/**
 * The queue remembers an id for five minutes. A key that holds no moment in time may name a new fact sooner
 * than that, so it gets a new id in every period of its own; the consumer catches what falls across two periods.
 */
function deduplicationKey(key: string, expiresAfterMs: number | undefined, receivedAt: number): string {
  return expiresAfterMs === undefined ? key : `${key} ${Math.floor(receivedAt / expiresAfterMs)}`;
}
