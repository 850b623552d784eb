import { createHash } from "node:crypto";
import type { AwsCaller } from "../aws-call.ts";
import type { Identity } from "../events/identity.ts";
import { type QueuedEvent, toQueuedBody } from "./queued-event.ts";

export interface EventQueueOptions {
  readonly callAws: AwsCaller;
  readonly eventsQueueUrl: string;
  readonly quarantineQueueUrl: string;
}

/** An accepted delivery. */
export interface Delivery {
  readonly appId: string;
  readonly bytes: Buffer;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** Where accepted deliveries go. Both calls throw AwsCallError when the queue did not take the message. */
export interface EventQueue {
  /** Stores a delivery in its lane. May be repeated: the queue drops what it got in the last five minutes. */
  send(delivery: Delivery, identity: Identity): Promise<void>;
  /** Stores a delivery that cannot be read, as received. Repeating it stores it twice. */
  quarantine(delivery: Delivery, reason: "not-json" | "no-envelope"): Promise<void>;
}

export function createEventQueue({
  callAws,
  eventsQueueUrl,
  quarantineQueueUrl,
}: EventQueueOptions): EventQueue {
  const sendMessage = (input: Record<string, unknown>) =>
    callAws({ service: "sqs", target: "AmazonSQS.SendMessage", input });

  return {
    async send({ appId, bytes, receivedAt }, { family, trigger, key, group, expiresAfterMs }) {
      const message: QueuedEvent = {
        v: 1,
        appId,
        family,
        trigger,
        key,
        receivedAt,
        ...(await toQueuedBody(bytes)),
      };
      await sendMessage({
        QueueUrl: eventsQueueUrl,
        MessageBody: JSON.stringify(message),
        MessageGroupId: sha256(group),
        MessageDeduplicationId: sha256(deduplicationKey(key, expiresAfterMs, receivedAt)),
      });
    },

    async quarantine({ appId, bytes, receivedAt }, reason) {
      const message = { v: 1, appId, reason, receivedAt, ...(await toQueuedBody(bytes)) };
      await sendMessage({ QueueUrl: quarantineQueueUrl, MessageBody: JSON.stringify(message) });
    },
  };
}

/**
 * The queue remembers an id for five minutes. A key that holds no moment in time may name a new fact sooner
 * than that, so it gets a new id in every period of its own; the consumer catches what falls across two periods.
 */
function deduplicationKey(key: string, expiresAfterMs: number | undefined, receivedAt: number): string {
  return expiresAfterMs === undefined ? key : `${key} ${Math.floor(receivedAt / expiresAfterMs)}`;
}

/** Group and deduplication ids have at most 128 characters; keys and groups may be longer. */
function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
