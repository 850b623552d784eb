import type { AwsCaller } from "../aws/aws-call.ts";
import { sha256Hex } from "../base/digest.ts";
import type { Identity } from "../events/identity.ts";
import { repetitionKey } from "../events/occurrence.ts";
import { type QueuedEvent, toMessageBody, toQueuedBody } from "./queued-event.ts";
import { type MessageAttributes, sendMessage } from "./send-message.ts";

export interface Delivery {
  readonly appId: string;
  readonly bytes: Buffer;
  readonly text?: string;
  readonly receivedAt: number;
  readonly deadlineMs?: number | undefined;
  readonly replay?: ReplayMark;
}

export interface ReplayMark {
  /** Equal for all repetitions of one replay. At most 128 characters. */
  readonly deduplicationId: string;
  readonly attributes: MessageAttributes;
}

/**
 * Stores a delivery in its lane. Repeatable: the queue drops duplicates for five minutes.
 * @throws AwsCallError
 * @throws MessageTooLargeError if too large even when compressed
 */
export type Enqueue = (delivery: Delivery, identity: Identity) => Promise<void>;

export function createEnqueue(callAws: AwsCaller, eventsQueueUrl: string): Enqueue {
  return async (delivery, identity) =>
    sendMessage(callAws, eventsQueueUrl, toQueueMessage(delivery, identity), delivery.deadlineMs);
}

export interface QueueMessage {
  readonly MessageBody: string;
  readonly MessageGroupId: string;
  readonly MessageDeduplicationId: string;
  readonly MessageAttributes?: MessageAttributes;
}

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
    // SQS allows 128 characters; keys and lanes may be longer.
    MessageGroupId: sha256Hex(lane),
    MessageDeduplicationId: replay?.deduplicationId ?? sha256Hex(repetitionKey(identity, receivedAt)),
    ...(replay && { MessageAttributes: replay.attributes }),
  };
}
