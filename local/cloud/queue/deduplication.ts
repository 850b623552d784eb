/** What a duplicate's sender is told: the first message's own names. */
export interface SentMessage {
  readonly messageId: string;
  readonly sequenceNumber: string | undefined;
}

export interface Deduplication {
  /** The message that was sent with this key in the last five minutes, whether it is still there or not. */
  find(key: string): SentMessage | undefined;
  remember(key: string, message: SentMessage, sentAtMs: number): void;
  clear(): void;
}

/**
 * How long a deduplication id counts, from the first sending on; deleting the message does not end it.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-key-terms.html
 */
export const deduplicationMs = 5 * 60_000;

/** Makes an empty memory of deduplication ids. */
export function createDeduplication(now: () => number): Deduplication {
  const seen = new Map<string, SentMessage>();
  // In order of expiry, as every key lives equally long. What lies before `head` is forgotten.
  let keys: { key: string; expiresAtMs: number }[] = [];
  let head = 0;
  const forgetExpired = () => {
    for (let next = keys[head]; next && next.expiresAtMs <= now(); next = keys[head]) {
      seen.delete(next.key);
      head += 1;
    }
    if (head < 1000 || head * 2 < keys.length) return;
    keys = keys.slice(head);
    head = 0;
  };
  return {
    find(key) {
      forgetExpired();
      return seen.get(key);
    },
    remember(key, message, sentAtMs) {
      seen.set(key, message);
      keys.push({ key, expiresAtMs: sentAtMs + deduplicationMs });
    },
    clear() {
      seen.clear();
      keys = [];
      head = 0;
    },
  };
}
