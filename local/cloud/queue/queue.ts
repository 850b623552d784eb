import type { SentMessage } from "./deduplication.ts";
import type { MessageAttributes, ReceivedMessage, StoredMessage } from "./queue-message.ts";

export interface QueueSettings {
  readonly fifo: boolean;
  /** How long a received message stays hidden. Default 30 s. */
  readonly visibilityTimeoutMs?: number;
  /** How long a sent message is kept back. Default 0. */
  readonly delayMs?: number;
  /** How long a message is kept. Default four days. */
  readonly retentionMs?: number;
  /** A body of a recent message is its own deduplication id. Default false. */
  readonly deduplicatesByContent?: boolean;
  /** Within what a deduplication id counts. Default `queue`. */
  readonly deduplicationScope?: "queue" | "messageGroup";
  /** Where a message goes that is received once more than `maxReceiveCount` times. */
  readonly redrive?: {
    readonly maxReceiveCount: number;
    /** This queue's own ARN, which the moved messages carry. */
    readonly sourceArn: string;
    deadLetterQueue(): Queue | undefined;
  };
}

/** What the model takes from outside; everything has a default. */
export interface QueueSurroundings {
  /** Milliseconds since 1970; the machine's clock when absent. A test passes its own. */
  readonly now?: () => number;
  /** Makes message ids; random when absent. */
  readonly newId?: () => string;
  /** Is told of every change that must survive a restart. */
  readonly journal?: QueueJournal;
  /** Messages of an earlier run, in any order. Those that were in flight are handed out again at once. */
  readonly stored?: readonly StoredMessage[];
}

export interface QueueJournal {
  put(message: StoredMessage): void;
  remove(messageId: string): void;
}

export interface NewMessage {
  readonly body: string;
  readonly lane?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly attributes?: MessageAttributes | undefined;
  readonly traceHeader?: string | undefined;
  /** Standard queues only; a FIFO queue delays as a whole. */
  readonly delayMs?: number | undefined;
}

export interface QueueDepth {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

export interface PeekedMessage extends StoredMessage {
  /** When it becomes visible, in milliseconds since 1970; of a visible one, when it became so. */
  readonly visibleAtMs: number;
  readonly state: "visible" | "inFlight" | "delayed";
}

/**
 * A queue of SQS, FIFO or standard, without a network: it does nothing by itself, and time is what `now` says.
 * A FIFO queue hands out a lane in order and nothing of it while one of its messages is in flight.
 */
export interface Queue {
  readonly settings: QueueSettings;
  /** Changes the settings; a FIFO queue's new delay counts for the messages that are there, too. */
  configure(settings: QueueSettings): void;
  /** Stores a message, or gives the names of its duplicate. @throws QueueError for what the kind of queue forbids */
  send(message: NewMessage): SentMessage;
  /** Hands out up to `max` messages; the oldest free lane first, as many of it as there are, then the next one. */
  receive(options?: { max?: number; visibilityTimeoutMs?: number | undefined }): ReceivedMessage[];
  /** Deletes the message of a handing out. May be repeated. @throws QueueError when a FIFO queue's handle is too old */
  delete(receiptHandle: string): void;
  /** Hides a message in flight for this long from now; 0 hands it out again. @throws QueueError when it is not in flight */
  changeVisibility(receiptHandle: string, visibilityTimeoutMs: number): void;
  depth(): QueueDepth;
  /** Shows every message in the queue's order and takes none. */
  peek(): PeekedMessage[];
  /** Deletes every message, also those in flight. Deduplication ids still count. */
  purge(): void;
  /** Deletes every message and forgets every deduplication id: a new queue. */
  forget(): void;
  /** Every message as it is stored, also those in flight. */
  contents(): StoredMessage[];
  /** Has these messages in the place of all others, as after a restart; ids of the past count no more. */
  putBack(messages: readonly StoredMessage[]): void;
  /** When a hidden or delayed message becomes visible next; undefined if none waits for its time. */
  nextChangeAtMs(): number | undefined;
  /** Has a delayed or hidden message visible at once; false when it is neither. */
  hasten(messageId: string): boolean;
  /** Whether `receive` would hand out something now. */
  hasReady(): boolean;
  /** Tells who listens to look again: time has jumped. */
  lookAgain(): void;
  /** Calls `listener` when a message may have become visible, time apart. Gives a function that ends it. */
  onChange(listener: () => void): () => void;
  /** Stores a message that another queue gave up. */
  takeDeadLetter(message: StoredMessage, sourceArn: string): void;
}
