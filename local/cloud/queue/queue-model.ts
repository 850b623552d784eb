import { createHash, randomUUID } from "node:crypto";
import { type Backlog, createBacklog, type Entry } from "./backlog.ts";
import { createDeduplication } from "./deduplication.ts";
import type { NewMessage, Queue, QueueSettings, QueueSurroundings } from "./queue.ts";
import { invalidParameter, QueueError } from "./queue-error.ts";
import {
  type ReceivedMessage,
  readReceiptHandle,
  type StoredMessage,
  writeReceiptHandle,
} from "./queue-message.ts";

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html */
const maxVisibilityMs = 12 * 60 * 60_000;
/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-fifo.html */
const maxInFlight = 120_000;

const defaults = {
  visibilityTimeoutMs: 30_000,
  delayMs: 0,
  retentionMs: 4 * 24 * 60 * 60_000,
};

/** Makes a queue with the messages of an earlier run, if there are any. */
export function createQueue(initial: QueueSettings, surroundings: QueueSurroundings = {}): Queue {
  const { now = Date.now, newId = randomUUID, journal } = surroundings;
  let settings = initial;
  const byId = new Map<string, Entry>();
  const duplicates = createDeduplication(now);
  const listeners = new Set<() => void>();
  const backlog: Backlog = createBacklog();
  let lastSequence = 0;

  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  const delayedUntil = (message: StoredMessage) =>
    settings.fifo ? message.sentAtMs + (settings.delayMs ?? defaults.delayMs) : message.delayedUntilMs;
  const add = (message: StoredMessage) => {
    // A standard queue has no order to keep: every message is a lane of its own.
    const lane = settings.fifo ? (message.lane ?? "") : message.messageId;
    const entry = backlog.add(message, lane, delayedUntil(message), now());
    byId.set(message.messageId, entry);
  };
  const store = (message: StoredMessage) => {
    journal?.put(message);
    add(message);
    changed();
  };
  const remove = (entry: Entry) => {
    byId.delete(entry.message.messageId);
    backlog.remove(entry);
    journal?.remove(entry.message.messageId);
  };
  const purge = () => {
    for (const entry of [...byId.values()]) remove(entry);
  };
  const nextSequenceNumber = () => {
    if (!settings.fifo) return undefined;
    lastSequence = Math.max(lastSequence + 1, now() * 1000);
    return String(lastSequence).padStart(20, "0");
  };
  const advance = () => {
    const retentionMs = settings.retentionMs ?? defaults.retentionMs;
    for (let oldest = backlog.oldest(); oldest; oldest = backlog.oldest()) {
      if (oldest.message.sentAtMs + retentionMs > now()) break;
      remove(oldest);
      changed();
    }
    backlog.advance(now());
  };
  /** Gives undefined for a message that was deleted, or was never here. */
  const findByHandle = (receiptHandle: string) => {
    const handedOut = readReceiptHandle(receiptHandle);
    if (handedOut === undefined) {
      throw new QueueError("ReceiptHandleIsInvalid", "The input receipt handle is invalid.");
    }
    const entry = byId.get(handedOut.messageId);
    return entry && { entry, isLatest: entry.message.receiveCount === handedOut.receiveCount };
  };
  const bury = (entry: Entry) => {
    const { redrive } = settings;
    const deadLetterQueue = redrive?.deadLetterQueue();
    if (redrive === undefined || deadLetterQueue === undefined) return false;
    if (entry.message.receiveCount < redrive.maxReceiveCount) return false;
    remove(entry);
    deadLetterQueue.takeDeadLetter(entry.message, redrive.sourceArn);
    return true;
  };
  const deduplicationKey = (deduplicationId: string, lane: string | undefined) =>
    settings.deduplicationScope === "messageGroup" ? `${lane}\n${deduplicationId}` : deduplicationId;

  const takeStored = (messages: readonly StoredMessage[]) => {
    for (const message of [...messages].sort(bySequence)) {
      lastSequence = Math.max(lastSequence, Number(message.sequenceNumber ?? 0));
      add(message);
      const { deduplicationId, messageId, sequenceNumber } = message;
      if (!settings.fifo || deduplicationId === undefined) continue;
      const key = deduplicationKey(deduplicationId, message.lane);
      duplicates.remember(key, { messageId, sequenceNumber }, message.sentAtMs);
    }
  };
  takeStored(surroundings.stored ?? []);

  return {
    get settings() {
      return settings;
    },
    configure(next) {
      settings = next;
      backlog.reschedule((message) => delayedUntil(message));
      changed();
    },
    send({ body, lane, attributes = {}, traceHeader, delayMs, ...given }) {
      const deduplicationId = settings.fifo
        ? (given.deduplicationId ?? (settings.deduplicatesByContent ? sha256(body) : undefined))
        : undefined;
      if (settings.fifo) refuseForFifo({ lane, delayMs, deduplicationId });
      const key = deduplicationId === undefined ? undefined : deduplicationKey(deduplicationId, lane);
      const duplicate = key === undefined ? undefined : duplicates.find(key);
      if (duplicate) return duplicate;

      const sentAtMs = now();
      const message: StoredMessage = {
        messageId: newId(),
        body,
        lane,
        deduplicationId,
        sequenceNumber: nextSequenceNumber(),
        attributes,
        traceHeader,
        sentAtMs,
        delayedUntilMs: sentAtMs + (delayMs ?? settings.delayMs ?? defaults.delayMs),
        deadLetterSourceArn: undefined,
        receiveCount: 0,
        firstReceivedAtMs: undefined,
      };
      store(message);
      const sent = { messageId: message.messageId, sequenceNumber: message.sequenceNumber };
      if (key !== undefined) duplicates.remember(key, sent, sentAtMs);
      return sent;
    },
    receive({
      max = 1,
      visibilityTimeoutMs = settings.visibilityTimeoutMs ?? defaults.visibilityTimeoutMs,
    } = {}) {
      advance();
      const received: ReceivedMessage[] = [];
      const hiddenUntilMs = now() + visibilityTimeoutMs;
      const isFull = () => received.length >= max || backlog.depth().inFlight >= maxInFlight;
      while (!isFull()) {
        const lane = backlog.takeReadyLane({ ofFirst: settings.fifo });
        if (lane === undefined) break;
        for (const entry of backlog.visibleOf(lane)) {
          if (isFull()) break;
          if (bury(entry)) continue;
          const { message } = entry;
          entry.message = {
            ...message,
            receiveCount: message.receiveCount + 1,
            firstReceivedAtMs: message.firstReceivedAtMs ?? now(),
          };
          backlog.hide(entry, now(), hiddenUntilMs);
          journal?.put(entry.message);
          received.push({ ...entry.message, receiptHandle: writeReceiptHandle(entry.message) });
        }
        backlog.offer(lane);
      }
      if (received.length === 0 && !settings.fifo && backlog.depth().inFlight >= maxInFlight) {
        throw new QueueError("OverLimit", `${maxInFlight} messages are in flight.`);
      }
      return received;
    },
    delete(receiptHandle) {
      advance();
      const found = findByHandle(receiptHandle);
      if (found === undefined) return;
      const { entry, isLatest } = found;
      const isInFlight = isLatest && entry.state === "inFlight";
      if (settings.fifo && !isInFlight) throw expiredHandle(receiptHandle);
      if (!isLatest) return; // a standard queue says yes and keeps the message
      remove(entry);
      changed();
    },
    changeVisibility(receiptHandle, visibilityTimeoutMs) {
      advance();
      const found = findByHandle(receiptHandle);
      if (found === undefined) {
        const reason = "Message does not exist or is not available for visibility timeout change.";
        throw invalidParameter("ReceiptHandle", receiptHandle, reason);
      }
      const { entry, isLatest } = found;
      if (!isLatest) throw expiredHandle(receiptHandle);
      if (entry.state !== "inFlight") {
        throw new QueueError("MessageNotInflight", "The specified message isn't in flight.");
      }
      const hiddenUntilMs = now() + visibilityTimeoutMs;
      if (hiddenUntilMs - entry.hiddenAtMs > maxVisibilityMs) {
        const reason = `Total VisibilityTimeout for the message is beyond the limit [${maxVisibilityMs / 1000} seconds].`;
        throw invalidParameter("VisibilityTimeout", visibilityTimeoutMs / 1000, reason);
      }
      backlog.hide(entry, now(), hiddenUntilMs);
      if (visibilityTimeoutMs <= 0) {
        backlog.advance(now());
        changed();
      }
    },
    depth() {
      advance();
      return backlog.depth();
    },
    peek() {
      advance();
      return backlog.entries().map(({ message, state, visibleAtMs }) => ({ ...message, state, visibleAtMs }));
    },
    purge,
    forget() {
      purge();
      duplicates.clear();
    },
    contents: () => backlog.entries().map(({ message }) => message),
    putBack(messages) {
      purge();
      duplicates.clear();
      for (const message of messages) journal?.put(message);
      takeStored(messages);
      changed();
    },
    nextChangeAtMs() {
      advance();
      return backlog.nextChangeAtMs();
    },
    hasten(messageId) {
      advance();
      const entry = byId.get(messageId);
      if (entry === undefined || entry.state === "visible") return false;
      backlog.hasten(entry, now());
      // A restart must not have it wait again.
      const { message } = entry;
      if (!settings.fifo && message.delayedUntilMs > now()) {
        entry.message = { ...message, delayedUntilMs: now() };
        journal?.put(entry.message);
      }
      changed();
      return true;
    },
    hasReady() {
      advance();
      return backlog.hasReadyLane();
    },
    lookAgain: changed,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    takeDeadLetter(message, sourceArn) {
      // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html: a FIFO
      // queue gives a moved message a new time and its id for deduplication id; a standard one leaves its time.
      // UNVERIFIED: no page says whether the receive count goes on; it does here.
      const { messageId } = message;
      const key = deduplicationKey(messageId, message.lane);
      if (settings.fifo && duplicates.find(key)) return;
      const sequenceNumber = nextSequenceNumber();
      const moved = { ...message, sequenceNumber, delayedUntilMs: 0, deadLetterSourceArn: sourceArn };
      store(settings.fifo ? { ...moved, deduplicationId: messageId, sentAtMs: now() } : moved);
      if (settings.fifo) duplicates.remember(key, { messageId, sequenceNumber }, now());
    },
  };
}

function refuseForFifo({
  lane,
  delayMs,
  deduplicationId,
}: Pick<NewMessage, "lane" | "delayMs" | "deduplicationId">): void {
  if (lane === undefined) {
    throw new QueueError("MissingParameter", "The request must contain the parameter MessageGroupId.");
  }
  if (delayMs !== undefined && delayMs !== 0) {
    const reason = "The request include parameter that is not valid for this queue type.";
    throw invalidParameter("DelaySeconds", delayMs / 1000, reason);
  }
  if (deduplicationId === undefined) {
    throw new QueueError(
      "InvalidParameterValue",
      "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
    );
  }
}

function expiredHandle(receiptHandle: string): QueueError {
  return invalidParameter("ReceiptHandle", receiptHandle, "The receipt handle has expired.");
}

function bySequence(one: StoredMessage, other: StoredMessage): number {
  if (one.sequenceNumber === undefined || other.sequenceNumber === undefined) {
    return one.sentAtMs - other.sentAtMs;
  }
  return one.sequenceNumber < other.sequenceNumber ? -1 : 1;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
