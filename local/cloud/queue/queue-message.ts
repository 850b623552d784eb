/** A message attribute as the wire carries it; `BinaryValue` is base64. */
export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string | undefined;
  readonly BinaryValue?: string | undefined;
}

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

/** A message as a queue keeps it. Everything but the two receive fields stays the same for its whole life. */
export interface StoredMessage {
  readonly messageId: string;
  readonly body: string;
  /** `MessageGroupId`: the ordered lane of a FIFO queue; in a standard queue it orders nothing. */
  readonly lane: string | undefined;
  readonly deduplicationId: string | undefined;
  /** FIFO queues only: 20 digits, growing within a queue. */
  readonly sequenceNumber: string | undefined;
  readonly attributes: MessageAttributes;
  readonly traceHeader: string | undefined;
  readonly sentAtMs: number;
  /** Standard queues only: before this time nobody is handed the message. FIFO queues delay as a whole. */
  readonly delayedUntilMs: number;
  /** The queue that it came from, in a dead-letter queue. */
  readonly deadLetterSourceArn: string | undefined;
  readonly receiveCount: number;
  readonly firstReceivedAtMs: number | undefined;
}

/** A message as a receiver gets it. */
export interface ReceivedMessage extends StoredMessage {
  /** Names this handing out of the message; the next one has another. */
  readonly receiptHandle: string;
}

/** Names a handing out: the message, and which time it was received. */
export function writeReceiptHandle({ messageId, receiveCount }: StoredMessage): string {
  return Buffer.from(`${messageId}#${receiveCount}`).toString("base64");
}

/** Reads what `writeReceiptHandle` wrote; undefined for anything else. */
export function readReceiptHandle(handle: string): { messageId: string; receiveCount: number } | undefined {
  const [, messageId, receiveCount] =
    Buffer.from(handle, "base64")
      .toString()
      .match(/^(.+)#(\d+)$/s) ?? [];
  return messageId === undefined ? undefined : { messageId, receiveCount: Number(receiveCount) };
}
