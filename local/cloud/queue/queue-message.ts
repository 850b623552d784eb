import * as z from "zod/mini";

export const attributeSchema = z.object({
  DataType: z.string(),
  StringValue: z.optional(z.string()),
  BinaryValue: z.optional(z.string()),
});

/** Only the two receive fields change. */
export const storedMessageSchema = z.object({
  messageId: z.string(),
  body: z.string(),
  /** `MessageGroupId` of a FIFO queue; has no effect in a standard queue. */
  lane: z.optional(z.string()),
  deduplicationId: z.optional(z.string()),
  sequenceNumber: z.optional(z.string()),
  attributes: z.record(z.string(), attributeSchema),
  sentAtMs: z.number(),
  delayedUntilMs: z.number(),
  deadLetterSourceArn: z.optional(z.string()),
  receiveCount: z.number(),
  firstReceivedAtMs: z.optional(z.number()),
});

export type MessageAttribute = Readonly<z.infer<typeof attributeSchema>>;
export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;
export type StoredMessage = Readonly<z.infer<typeof storedMessageSchema>>;

export interface ReceivedMessage extends StoredMessage {
  readonly receiptHandle: string;
}

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
