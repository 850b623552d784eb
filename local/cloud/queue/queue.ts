import { hash, randomUUID } from "node:crypto";
import { AwsError } from "../aws-error.ts";
import { createBus } from "../bus.ts";
import { Backlog, type Entry, type PeekedMessage } from "./backlog.ts";
import { Deduplication, type MessageNames } from "./deduplication.ts";
import { expiredHandle, invalidParameter } from "./invalid-parameter.ts";
import { checkFifoMessage } from "./message-checks.ts";
import {
  bySequence,
  type ReceivedMessage,
  readReceiptHandle,
  type StoredMessage,
  writeReceiptHandle,
} from "./queue-message.ts";
import { defaults, type NewMessage, type QueueSettings, type QueueSurroundings } from "./queue-settings.ts";

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ChangeMessageVisibility.html */
const maxVisibilityMs = 12 * 60 * 60_000;
/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html */
const maxInFlight = 120_000;

/** If FIFO, delivers a lane in order, and none of it while one message is in flight. */
export class Queue {
  settings: QueueSettings & typeof defaults;
  readonly #now: () => number;
  readonly #newId: () => string;
  readonly #journal: QueueSurroundings["journal"];
  readonly #byId = new Map<string, Entry>();
  readonly #duplicates = new Deduplication();
  readonly #changes = createBus();
  /** Calls the listener when a message may have become visible early. */
  readonly onChange = this.#changes.subscribe;
  readonly notify = this.#changes.publish;
  readonly #backlog = new Backlog();
  #lastSequence = 0;

  constructor(settings: QueueSettings, surroundings: QueueSurroundings = {}) {
    this.settings = { ...defaults, ...settings };
    this.#now = surroundings.now ?? Date.now;
    this.#newId = surroundings.newId ?? randomUUID;
    this.#journal = surroundings.journal;
    this.#takeStored(surroundings.stored ?? []);
  }

  configure(settings: QueueSettings): void {
    this.settings = { ...defaults, ...settings };
    this.#backlog.reschedule((message) => this.#delayedUntil(message));
    this.notify();
  }

  /** Sends it, or returns its duplicate's names. @throws AwsError for fields that such a queue refuses */
  send({ body, lane, attributes = {}, delayMs, ...given }: NewMessage): MessageNames {
    const { fifo, deduplicatesByContent } = this.settings;
    const byContent = deduplicatesByContent ? hash("sha256", body) : undefined;
    const deduplicationId = fifo ? (given.deduplicationId ?? byContent) : undefined;
    if (fifo) checkFifoMessage({ lane, delayMs, deduplicationId });
    const key = deduplicationId === undefined ? undefined : this.#deduplicationKey(deduplicationId, lane);
    const sentAtMs = this.#now();
    const duplicate = key === undefined ? undefined : this.#duplicates.find(key, sentAtMs);
    if (duplicate) return duplicate;
    const names = { messageId: this.#newId(), sequenceNumber: this.#nextSequenceNumber() };
    this.#store({
      ...names,
      body,
      lane,
      deduplicationId,
      attributes,
      sentAtMs,
      delayedUntilMs: sentAtMs + (delayMs ?? this.settings.delayMs),
      receiveCount: 0,
    });
    if (key !== undefined) this.#duplicates.remember(key, names, sentAtMs);
    return names;
  }

  /** Receives first from the lane with the oldest free message, then from the next. */
  receive(options: { max?: number; visibilityTimeoutMs?: number | undefined } = {}): ReceivedMessage[] {
    const { max = 1, visibilityTimeoutMs = this.settings.visibilityTimeoutMs } = options;
    const { fifo } = this.settings;
    this.#advance();
    const received: ReceivedMessage[] = [];
    const isFull = () => received.length >= max || this.#backlog.depth().inFlight >= maxInFlight;
    while (!isFull()) {
      const lane = this.#backlog.takeReadyLane({ ofFirst: fifo });
      if (lane === undefined) break;
      for (const entry of this.#backlog.visibleOf(lane)) {
        if (isFull()) break;
        if (this.#deadLetter(entry)) continue;
        const { receiveCount, firstReceivedAtMs = this.#now() } = entry.message;
        entry.message = { ...entry.message, receiveCount: receiveCount + 1, firstReceivedAtMs };
        this.#backlog.hide(entry, this.#now(), this.#now() + visibilityTimeoutMs);
        this.#journal?.put(entry.message);
        received.push({ ...entry.message, receiptHandle: writeReceiptHandle(entry.message) });
      }
      this.#backlog.offer(lane);
    }
    if (received.length === 0 && !fifo && this.#backlog.depth().inFlight >= maxInFlight) {
      throw new AwsError("OverLimit", `${maxInFlight} messages are in flight.`);
    }
    return received;
  }

  /** Repeatable. @throws AwsError if a FIFO queue's handle is too old */
  delete(receiptHandle: string): void {
    const found = this.#findByHandle(receiptHandle);
    if (found === undefined) return;
    const { entry, isLatest } = found;
    const isInFlight = isLatest && entry.state === "inFlight";
    if (this.settings.fifo && !isInFlight) throw expiredHandle(receiptHandle);
    if (!isLatest) return; // a standard queue reports success and keeps the message
    this.#remove(entry);
    this.notify();
  }

  /** Hides a message from now on; 0 makes it visible. @throws AwsError if it is not in flight */
  changeVisibility(receiptHandle: string, visibilityTimeoutMs: number): void {
    const found = this.#findByHandle(receiptHandle);
    if (found === undefined) {
      const reason = "Message does not exist or is not available for visibility timeout change.";
      throw invalidParameter("ReceiptHandle", receiptHandle, reason);
    }
    const { entry, isLatest } = found;
    if (!isLatest) throw expiredHandle(receiptHandle);
    if (entry.state !== "inFlight") {
      throw new AwsError("MessageNotInflight", "The specified message isn't in flight.");
    }
    const hiddenUntilMs = this.#now() + visibilityTimeoutMs;
    if (hiddenUntilMs - entry.hiddenAtMs > maxVisibilityMs) {
      const reason = `Total VisibilityTimeout for the message is beyond the limit [${maxVisibilityMs / 1000} seconds].`;
      throw invalidParameter("VisibilityTimeout", visibilityTimeoutMs / 1000, reason);
    }
    this.#backlog.hide(entry, this.#now(), hiddenUntilMs);
    if (visibilityTimeoutMs > 0) return;
    this.#backlog.advance(this.#now());
    this.notify();
  }

  depth(): ReturnType<Backlog["depth"]> {
    this.#advance();
    return this.#backlog.depth();
  }

  peek(): PeekedMessage[] {
    this.#advance();
    const entries = this.#backlog.entries();
    return entries.map(({ message, state, visibleAtMs }) => ({ ...message, state, visibleAtMs }));
  }

  contents(): StoredMessage[] {
    return this.#backlog.entries().map(({ message }) => message);
  }

  /** Also forgets all deduplication ids. */
  replace(messages: readonly StoredMessage[]): void {
    for (const entry of [...this.#byId.values()]) this.#remove(entry);
    this.#duplicates.clear();
    for (const message of messages) this.#journal?.put(message);
    this.#takeStored(messages);
    this.notify();
  }

  nextChangeAtMs(): number | undefined {
    this.#advance();
    return this.#backlog.nextChangeAtMs();
  }

  /** @returns false if the message is neither delayed nor hidden */
  hasten(messageId: string): boolean {
    this.#advance();
    const entry = this.#byId.get(messageId);
    if (entry === undefined || entry.state === "visible") return false;
    this.#backlog.hasten(entry, this.#now());
    if (!this.settings.fifo && entry.message.delayedUntilMs > this.#now()) {
      entry.message = { ...entry.message, delayedUntilMs: this.#now() };
      this.#journal?.put(entry.message); // so that it does not wait again after a restart
    }
    this.notify();
    return true;
  }

  hasReady(): boolean {
    this.#advance();
    return this.#backlog.hasReadyLane();
  }

  /**
   * A FIFO dead-letter queue gives a message a new time and its id as deduplication id; a standard one keeps
   * its time. UNVERIFIED: the receive count goes on.
   * @see
   * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html
   */
  #deadLetter(entry: Entry) {
    const { redrive } = this.settings;
    const target = redrive?.deadLetterQueue();
    const { message } = entry;
    if (!redrive || !target || message.receiveCount < redrive.maxReceiveCount) return false;
    // A crash in between leaves the message in both.
    target.takeDeadLetter({ ...message, deadLetterSourceArn: redrive.sourceArn, delayedUntilMs: 0 });
    this.#remove(entry);
    return true;
  }

  takeDeadLetter(message: StoredMessage): void {
    const { messageId, lane } = message;
    const { fifo } = this.settings;
    const names = { messageId, sequenceNumber: this.#nextSequenceNumber() };
    const [key, sentAtMs] = [this.#deduplicationKey(messageId, lane), this.#now()];
    if (fifo && this.#duplicates.find(key, sentAtMs)) return;
    this.#store({ ...message, ...names, ...(fifo && { deduplicationId: messageId, sentAtMs }) });
    if (fifo) this.#duplicates.remember(key, names, sentAtMs);
  }

  #takeStored(messages: readonly StoredMessage[]) {
    for (const message of messages.toSorted(bySequence)) {
      this.#add(message);
      const { deduplicationId, messageId, sequenceNumber, lane, sentAtMs } = message;
      this.#lastSequence = Math.max(this.#lastSequence, Number(sequenceNumber ?? 0));
      if (!this.settings.fifo || deduplicationId === undefined) continue;
      const key = this.#deduplicationKey(deduplicationId, lane);
      this.#duplicates.remember(key, { messageId, sequenceNumber }, sentAtMs);
    }
  }

  #store(message: StoredMessage) {
    this.#journal?.put(message);
    this.#add(message);
    this.notify();
  }

  #add(message: StoredMessage) {
    // A standard queue has no order: every message is its own lane.
    const lane = this.settings.fifo ? (message.lane ?? "") : message.messageId;
    const entry = this.#backlog.add(message, lane, this.#delayedUntil(message), this.#now());
    this.#byId.set(message.messageId, entry);
  }

  #remove(entry: Entry) {
    this.#journal?.remove(entry.message.messageId);
    this.#byId.delete(entry.message.messageId);
    this.#backlog.remove(entry);
  }

  #advance() {
    for (let oldest = this.#backlog.oldest(); oldest; oldest = this.#backlog.oldest()) {
      if (oldest.message.sentAtMs + this.settings.retentionMs > this.#now()) break;
      this.#remove(oldest);
      this.notify();
    }
    this.#backlog.advance(this.#now());
  }

  #findByHandle(receiptHandle: string): { entry: Entry; isLatest: boolean } | undefined {
    this.#advance();
    const named = readReceiptHandle(receiptHandle);
    if (named === undefined) {
      throw new AwsError("ReceiptHandleIsInvalid", "The input receipt handle is invalid.");
    }
    const entry = this.#byId.get(named.messageId);
    return entry && { entry, isLatest: entry.message.receiveCount === named.receiveCount };
  }

  #delayedUntil({ sentAtMs, delayedUntilMs }: StoredMessage) {
    return this.settings.fifo ? sentAtMs + this.settings.delayMs : delayedUntilMs;
  }

  #deduplicationKey(deduplicationId: string, lane: string | undefined) {
    const isOfLane = this.settings.deduplicationScope === "messageGroup";
    return isOfLane ? `${lane}\n${deduplicationId}` : deduplicationId;
  }

  #nextSequenceNumber() {
    if (!this.settings.fifo) return undefined;
    this.#lastSequence = Math.max(this.#lastSequence + 1, this.#now() * 1000);
    return String(this.#lastSequence).padStart(20, "0");
  }
}
