import * as z from "zod/mini";
import type { AwsCaller } from "../aws/aws-call.ts";
import { readQueueCounts } from "../aws/queue-counts.ts";
import { inParts, mapConcurrently } from "../base/batching.ts";

export interface HeldMessage extends Hold {
  readonly id: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly group: string;
  /** Increases within a message group. */
  readonly sequence: string;
  readonly sentAt: number;
}

export interface Hold {
  readonly receiptHandle: string;
  readonly heldUntil: number;
}

/** Messages that an operator receives stay in the queue, hidden, until they are deleted or returned. */
export type HeldQueue = ReturnType<typeof openHeldQueue>;

interface HeldQueueEdges {
  readonly callAws: AwsCaller;
  readonly now: () => number;
  readonly token: () => string;
}

/** @throws AwsCallError, as all methods */
export function openHeldQueue(queueUrl: string, { callAws, now, token }: HeldQueueEdges) {
  const call = (operation: string, input: object) =>
    callAws({ service: "sqs", target: `AmazonSQS.${operation}`, input: { QueueUrl: queueUrl, ...input } });
  const changeHolds = async (holds: readonly Hold[], seconds: number, signal?: AbortSignal) => {
    await mapConcurrently(inParts(holds, 10), callsAtATime, async (ten) => {
      if (signal?.aborted) return;
      const Entries = ten.map(({ receiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }));
      await call("ChangeMessageVisibilityBatch", { Entries }).catch(() => undefined);
    });
  };

  return {
    now,
    depth: async (): Promise<HeldDepth> => {
      const { waiting, taken } = await readQueueCounts(callAws, queueUrl);
      return { free: waiting, taken };
    },
    /**
     * Receives up to `mostTaken` messages; none if none is visible, which is certain only if it waits or
     * `depth` reports no free message. If the reader dies, they are visible again when the hold ends.
     */
    take: async (waits: boolean, holdSeconds: number) => {
      const heldUntil = now() + holdSeconds * 1000 - marginMs;
      const answer = await call("ReceiveMessage", {
        MaxNumberOfMessages: mostTaken,
        VisibilityTimeout: holdSeconds,
        WaitTimeSeconds: waits ? waitSeconds : 0,
        MessageSystemAttributeNames: ["MessageGroupId", "SequenceNumber", "SentTimestamp"],
        MessageAttributeNames: ["All"],
        // After a lost response, the second try receives the same messages: if they stayed hidden, later ones
        // would be replayed first.
        ...(queueUrl.endsWith(".fifo") && { ReceiveRequestAttemptId: token() }),
      });
      const { Messages = [] } = receivedSchema.parse(answer ?? {});
      return Messages.map((message) => toHeldMessage(message, heldUntil));
    },
    delete: async ({ receiptHandle }: Hold) => {
      await call("DeleteMessage", { ReceiptHandle: receiptHandle });
    },
    /** Never throws: what it cannot extend becomes visible when its hold ends. Stops early if aborted. */
    extend: changeHolds,
    /** Never throws: as `extend`. */
    returnToQueue: (holds: readonly Hold[]) => changeHolds(holds, 0),
  };
}

interface HeldDepth {
  readonly free: number;
  readonly taken: number;
}

/**
 * Returns how long to hold messages, longer for more: a dead run hides a few messages for two minutes only,
 * and a long run need not extend.
 */
export function holdSecondsFor({ free, taken }: HeldDepth, most: number = mostHolds): number {
  return Math.ceil(leastHoldSeconds + Math.min(free + taken, most) * secondsEach);
}

/**
 * SQS allows 120,000 in flight; the rest is left for other readers.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html
 */
export const mostHolds = 100_000;
export const mostTaken = 10;
const callsAtATime = 10;
export const leastHoldSeconds = 120;
const secondsEach = 0.2;
/**
 * SQS's maximum: 12 hours.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html
 */
export const mostHoldSeconds = 43_200;
/** Covers network time and clock differences. */
const marginMs = 10_000;
/**
 * Long polling: a short poll may find no message although the queue has some.
 * @see
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-short-and-long-polling.html
 */
const waitSeconds = 1;

const messageSchema = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  Attributes: z.optional(z.record(z.string(), z.string())),
  MessageAttributes: z.optional(z.record(z.string(), z.object({ StringValue: z.optional(z.string()) }))),
});

const receivedSchema = z.object({ Messages: z.optional(z.array(messageSchema)) });

function toHeldMessage(message: z.infer<typeof messageSchema>, heldUntil: number): HeldMessage {
  const { MessageId, ReceiptHandle, Body, Attributes = {}, MessageAttributes = {} } = message;
  const texts = Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]);
  return {
    id: MessageId,
    receiptHandle: ReceiptHandle,
    heldUntil,
    body: Body,
    attributes: Object.fromEntries(texts),
    group: Attributes.MessageGroupId ?? "",
    sequence: Attributes.SequenceNumber ?? "",
    sentAt: Number(Attributes.SentTimestamp),
  };
}
