import * as z from "zod/mini";

const attributeSchema = z.object({
  DataType: z.string(),
  StringValue: z.optional(z.string()),
  /** Base64. */
  BinaryValue: z.optional(z.string()),
});

/** All but the two receive fields never change. */
export const storedMessageSchema = z.object({
  messageId: z.string(),
  body: z.string(),
  /** `MessageGroupId` of a FIFO queue; has no effect in a standard queue. */
  lane: z.optional(z.string()),
  deduplicationId: z.optional(z.string()),
  /** FIFO queues only: 20 digits that grow within a queue. */
  sequenceNumber: z.optional(z.string()),
  attributes: z.record(z.string(), attributeSchema),
  sentAtMs: z.number(),
  /** Standard queues only; FIFO queues delay as a whole. */
  delayedUntilMs: z.number(),
  /** Where a dead letter came from. */
  deadLetterSourceArn: z.optional(z.string()),
  receiveCount: z.number(),
  firstReceivedAtMs: z.optional(z.number()),
});

/** A message attribute as the wire carries it. */
export type MessageAttribute = Readonly<z.infer<typeof attributeSchema>>;
export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;
export type StoredMessage = Readonly<z.infer<typeof storedMessageSchema>>;

export interface ReceivedMessage extends StoredMessage {
  /** The next receive has another handle. */
  readonly receiptHandle: string;
}

/** Writes a handle from the message and its receive count. */
export function writeReceiptHandle({ messageId, receiveCount }: StoredMessage): string {
  return Buffer.from(`${messageId}#${receiveCount}`).toString("base64");
}

/** @returns undefined for any other text */
export function readReceiptHandle(handle: string): { messageId: string; receiveCount: number } | undefined {
  const [, messageId, receiveCount] =
    Buffer.from(handle, "base64")
      .toString()
      .match(/^(.+)#(\d+)$/s) ?? [];
  return messageId === undefined ? undefined : { messageId, receiveCount: Number(receiveCount) };
}

export function bySequence(one: StoredMessage, other: StoredMessage): number {
  if (one.sequenceNumber === undefined || other.sequenceNumber === undefined) {
    return one.sentAtMs - other.sentAtMs;
  }
  return one.sequenceNumber < other.sequenceNumber ? -1 : 1;
}
