import type { AwsCaller } from "../aws/aws-call.ts";
import { sha256Hex } from "../base/digest.ts";
import type { Identity } from "../events/identity.ts";
import { repetitionKey } from "../events/occurrence.ts";
import { toMessageBody } from "./message-text.ts";
import { type QueuedEvent, toQueuedBody } from "./queued-event.ts";

export interface Delivery {
  readonly appId: string;
  readonly bytes: Buffer;
  /** The bytes as UTF-8, if already decoded. */
  readonly text?: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Milliseconds since 1970 until which to wait for the queue. Default: only each try's limits. */
  readonly deadlineMs?: number | undefined;
  /** Set if an operator replays the delivery. */
  readonly replay?: ReplayMark;
}

/** Marks a replayed message for the queue and the consumer. */
export interface ReplayMark {
  /**
   * Equal for repetitions of one replay: the queue drops duplicates for five minutes. At most 128 characters.
   */
  readonly deduplicationId: string;
  /** As lib/queue/lanes/lane-record.ts reads them. */
  readonly attributes: Readonly<Record<string, { readonly DataType: string; readonly StringValue: string }>>;
}

/**
 * Stores a delivery in its lane of the events queue. May be repeated: the queue drops duplicates for five
 * minutes.
 * @throws AwsCallError if the queue did not accept it
 * @throws MessageTooLargeError if the delivery does not fit into a message even when compressed
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

export interface QueueMessage {
  readonly MessageBody: string;
  readonly MessageGroupId: string;
  readonly MessageDeduplicationId: string;
  readonly MessageAttributes?: ReplayMark["attributes"];
}

/**
 * Returns the queue's message for a delivery.
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
