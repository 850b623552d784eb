import type { MessageAttributes, StoredMessage } from "./queue-message.ts";

export interface QueueSettings {
  readonly fifo: boolean;
  readonly visibilityTimeoutMs?: number;
  readonly delayMs?: number;
  readonly retentionMs?: number;
  /** The body replaces a missing deduplication id. Default false. */
  readonly deduplicatesByContent?: boolean;
  /** The scope of a deduplication id. Default `queue`. */
  readonly deduplicationScope?: "queue" | "messageGroup";
  /** Where a message goes after it was received `maxReceiveCount` times. */
  readonly redrive?: {
    readonly maxReceiveCount: number;
    readonly sourceArn: string;
    deadLetterQueue(): { takeDeadLetter(message: StoredMessage): void } | undefined;
  };
}

export const defaults = { visibilityTimeoutMs: 30_000, delayMs: 0, retentionMs: 4 * 24 * 60 * 60_000 };

export interface QueueSurroundings {
  readonly now?: () => number;
  readonly newId?: (() => string) | undefined;
  readonly journal?: { put(message: StoredMessage): unknown; remove(messageId: string): unknown } | undefined;
  /** Initial messages, in any order. Those in flight become visible. */
  readonly stored?: readonly StoredMessage[];
}

export interface NewMessage {
  readonly body: string;
  readonly lane?: string | undefined;
  readonly deduplicationId?: string | undefined;
  readonly attributes?: MessageAttributes | undefined;
  readonly delayMs?: number | undefined;
}
