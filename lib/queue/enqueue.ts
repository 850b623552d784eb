import type { AwsCaller } from "../aws/aws-call.ts";
import { sha256Hex } from "../base/digest.ts";
import type { Identity } from "../events/identity.ts";
import { repetitionKey } from "../events/occurrence.ts";
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
  /** Milliseconds since 1970: until then the queue is waited for. Default: the limits of each try alone. */
  readonly deadlineMs?: number | undefined;
  /** Present when an operator brings the delivery back. */
  readonly replay?: ReplayMark;
}

/** What tells the queue and the consumer that an operator brings a message back. */
export interface ReplayMark {
  /** Equal for repetitions of one replay: the queue drops them within five minutes. At most 128 characters. */
  readonly deduplicationId: string;
  /** As lib/queue/lanes/lane-record.ts reads them. */
  readonly attributes: Readonly<Record<string, { readonly DataType: string; readonly StringValue: string }>>;
}

/**
 * Stores a delivery in its lane of the events queue. May be repeated: the queue drops what it got in the last five
 * minutes.
 * @throws AwsCallError when the queue did not take it
 * @throws MessageTooLargeError when no queue ever will: not even compressed does the delivery fit into a message
 */
export type Enqueue = (delivery: Delivery, identity: Identity) => Promise<void>;

export function createEnqueue(callAws: AwsCaller, eventsQueueUrl: string): Enqueue {
  return async (delivery, identity) => {
    await callAws({
      service: "sqs",
      target: "AmazonSQS.SendMessage",
      input: { QueueUrl: eventsQueueUrl, ...toQueueMessage(delivery, identity) },
      deadlineMs: delivery.deadlineMs,
    });
  };
}

/** What the events queue is given for a delivery. */
export interface QueueMessage {
  readonly MessageBody: string;
  readonly MessageGroupId: string;
  readonly MessageDeduplicationId: string;
  readonly MessageAttributes?: ReplayMark["attributes"];
}

/**
 * Writes the queue's message of a delivery.
 * @throws MessageTooLargeError as `Enqueue` does
 */
export function toQueueMessage(
  { appId, bytes, text, receivedAt, replay }: Delivery,
  identity: Identity,
): QueueMessage {
  const { family, trigger, key, lane, canRecur } = identity;
  const message: QueuedEvent = {
    v: 1,
    appId,
    family,
    trigger,
    key,
    ...(canRecur ? { canRecur } : {}),
    receivedAt,
    ...toQueuedBody(bytes, text),
  };
  return {
    MessageBody: toMessageBody(message),
    // Both ids have at most 128 characters; keys and lanes may be longer.
    MessageGroupId: sha256Hex(lane),
    MessageDeduplicationId: replay?.deduplicationId ?? sha256Hex(repetitionKey(identity, receivedAt)),
    ...(replay && { MessageAttributes: replay.attributes }),
  };
}
