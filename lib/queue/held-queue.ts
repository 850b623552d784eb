import * as z from "zod/mini";
import type { AwsCaller } from "../aws/aws-call.ts";

/** A message of a queue that is hidden from everybody else for a while. */
export interface HeldMessage extends Hold {
  readonly id: string;
  readonly body: string;
  /** The texts of its attributes. */
  readonly attributes: Readonly<Record<string, string | undefined>>;
  /** Empty in a queue without order. */
  readonly group: string;
  /** Grows within a group; empty in a queue without order. */
  readonly sequence: string;
  /** When this queue got it, in milliseconds since 1970. */
  readonly sentAt: number;
}

/** What it takes to delete a message or to give it back. */
export interface Hold {
  readonly receiptHandle: string;
  /** Milliseconds since 1970; from then on somebody else may have it. */
  readonly heldUntil: number;
}

/** A queue that an operator looks through: what is taken from it stays there, hidden, until it is deleted or given back. */
export interface HeldQueue {
  /** Takes up to ten messages. None means that nothing is free. */
  take(): Promise<readonly HeldMessage[]>;
  /** May be repeated. */
  delete(hold: Hold): Promise<void>;
  /** Lets others have the messages again. Never throws: what could not be given back is free when its time is over. */
  giveBack(holds: readonly Hold[]): Promise<void>;
  /** About how many messages are free, and how many in somebody's hands, the caller's own included. */
  depth(): Promise<QueueDepth>;
}

export interface QueueDepth {
  readonly free: number;
  readonly taken: number;
}

export interface HeldQueueEdges {
  readonly callAws: AwsCaller;
  readonly now: () => number;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
}

/**
 * Begins to look through a queue. How long messages are held depends on how many there are: a run that dies keeps a few of
 * them hidden for two minutes, and nobody has to renew anything while many are handled.
 * @throws AwsCallError, as all of it does, when the queue gives no answer
 */
export async function openHeldQueue(
  queueUrl: string,
  { callAws, now, token }: HeldQueueEdges,
): Promise<HeldQueue> {
  const call = (operation: string, input: object) =>
    callAws({ service: "sqs", target: `AmazonSQS.${operation}`, input: { QueueUrl: queueUrl, ...input } });
  const depth = async (): Promise<QueueDepth> => {
    const AttributeNames = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"];
    const { Attributes } = depthSchema.parse(await call("GetQueueAttributes", { AttributeNames }));
    return {
      free: Number(Attributes.ApproximateNumberOfMessages),
      taken: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
    };
  };
  const { free, taken } = await depth();
  const holdSeconds = Math.min(Math.ceil(leastHoldSeconds + (free + taken) * secondsEach), mostHoldSeconds);

  return {
    depth,
    take: async () => {
      const heldUntil = now() + holdSeconds * 1000 - marginMs;
      const answer = await call("ReceiveMessage", {
        MaxNumberOfMessages: 10,
        VisibilityTimeout: holdSeconds,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ["MessageGroupId", "SequenceNumber", "SentTimestamp"],
        MessageAttributeNames: ["All"],
        // Should the answer be lost, the second try gets the same messages: else they would be hidden, and others of their
        // lane come back before them.
        ...(queueUrl.endsWith(".fifo") && { ReceiveRequestAttemptId: token() }),
      });
      const { Messages = [] } = receivedSchema.parse(answer ?? {});
      return Messages.map((message) => toHeldMessage(message, heldUntil));
    },
    delete: async ({ receiptHandle }) => {
      await call("DeleteMessage", { ReceiptHandle: receiptHandle });
    },
    giveBack: async (holds) => {
      const giveTen = async (start: number) => {
        const Entries = holds.slice(start, start + 10).map(({ receiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle: receiptHandle,
          VisibilityTimeout: 0,
        }));
        // What is not given back now comes back by itself when its hold ends.
        await call("ChangeMessageVisibilityBatch", { Entries }).catch(() => undefined);
      };
      const starts = Array.from({ length: Math.ceil(holds.length / 10) }, (_, index) => index * 10).values();
      // Somebody may wait for it at a terminal, after an interruption.
      const giveSome = async () => {
        for (const start of starts) await giveTen(start);
      };
      await Promise.all(Array.from({ length: callsAtATime }, giveSome));
    },
  };
}

const callsAtATime = 10;
const leastHoldSeconds = 120;
/** A message's share of reading and writing, one after the other, from an operator's desk. */
const secondsEach = 0.2;
/** 12 hours: what SQS allows. @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html */
const mostHoldSeconds = 43_200;
/** For the way of the answer, and clocks that differ. */
const marginMs = 10_000;
/**
 * A queue that is asked without waiting may say that it is empty when it is not.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-short-and-long-polling.html
 */
const waitSeconds = 1;

const depthSchema = z.object({
  Attributes: z.object({
    ApproximateNumberOfMessages: z.string(),
    ApproximateNumberOfMessagesNotVisible: z.string(),
  }),
});

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
