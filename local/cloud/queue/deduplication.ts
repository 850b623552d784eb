export interface MessageNames {
  readonly messageId: string;
  readonly sequenceNumber: string | undefined;
}

/**
 * Counts from the first send; deleting the message does not end it.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-key-terms.html
 */
const deduplicationMs = 5 * 60_000;

export class Deduplication {
  readonly #seen = new Map<string, { readonly names: MessageNames; readonly expiresAtMs: number }>();
  #sweepAt = 1_000;

  find(key: string, nowMs: number): MessageNames | undefined {
    const seen = this.#seen.get(key);
    return seen && seen.expiresAtMs > nowMs ? seen.names : undefined;
  }

  remember(key: string, names: MessageNames, sentAtMs: number): void {
    this.#seen.set(key, { names, expiresAtMs: sentAtMs + deduplicationMs });
    if (this.#seen.size < this.#sweepAt) return;
    for (const [old, { expiresAtMs }] of this.#seen) if (expiresAtMs <= sentAtMs) this.#seen.delete(old);
    this.#sweepAt = Math.max(1_000, this.#seen.size * 2);
  }

  clear(): void {
    this.#seen.clear();
  }
}
