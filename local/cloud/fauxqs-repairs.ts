// Private parts of fauxqs 2.4.1, which package.json therefore pins exactly: its package exports only the server. A newer
// version may move them; test/cloud tells. 2.4.1 is the newest version on 2026-11-21 and has all four defects named below.
// https://github.com/kibertoad/fauxqs had no issue about any of them that could be found on that day.
import { PersistenceManager } from "../../node_modules/fauxqs/dist/persistence.js";
import { SqsQueue } from "../../node_modules/fauxqs/dist/sqs/sqsStore.js";
import { INVALID_MESSAGE_BODY_CHAR } from "../../node_modules/fauxqs/dist/sqs/sqsTypes.js";

let isRepaired = false;

/** Makes fauxqs behave like SQS in the points in which it differs, and bear a restart. May be called repeatedly. */
export function repairFauxqs(): void {
  if (isRepaired) return;
  isRepaired = true;
  takeAllCharacters();
  fillBatchesFromGroups();
  handOutAgainAfterRestart();
}

// SQS takes every character of XML 1.0; fauxqs refuses those above U+FFFF, which is every emoji.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
function takeAllCharacters(): void {
  const invalid = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
  INVALID_MESSAGE_BODY_CHAR.test = (body) => invalid.test(body);
}

// SQS fills a batch with as many messages of one group as there are; fauxqs takes one of each group and locks it.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
function fillBatchesFromGroups(): void {
  const dequeueOnePerGroup = SqsQueue.prototype.dequeue;
  SqsQueue.prototype.dequeue = function (maxCount, visibilityTimeout, findQueue) {
    if (!this.isFifo()) return dequeueOnePerGroup.call(this, maxCount, visibilityTimeout, findQueue);
    this.processTimers();
    restoreOrder(this);
    const lockedBefore = new Set(this.fifoLockedGroups.keys());
    const lockedNow: string[] = [];
    const messages: ReturnType<typeof dequeueOnePerGroup> = [];
    while (messages.length < maxCount) {
      const more = dequeueOnePerGroup.call(this, maxCount - messages.length, visibilityTimeout, findQueue);
      if (more.length === 0) break;
      messages.push(...more);
      for (const group of this.fifoLockedGroups.keys()) {
        if (lockedBefore.has(group)) continue;
        lockedNow.push(group);
        this.fifoLockedGroups.delete(group);
      }
    }
    for (const group of lockedNow) {
      this.fifoLockedGroups.set(group, (this.fifoLockedGroups.get(group) ?? 0) + 1);
    }
    return messages;
  };
}

// Messages whose visibility timeout ended together return to their group in reverse.
function restoreOrder(queue: SqsQueue): void {
  for (const messages of queue.fifoMessages.values()) {
    const isSorted = messages
      .slice(1, maxReceived + 1)
      .every(({ sequenceNumber = "" }, index) => sequenceNumber >= (messages[index]?.sequenceNumber ?? ""));
    if (!isSorted) messages.sort((a, b) => (a.sequenceNumber ?? "").localeCompare(b.sequenceNumber ?? ""));
  }
}

const maxReceived = 10;

// A message in flight was with a function, and that ended with this machine's last run: nobody will answer for it.
function handOutAgainAfterRestart(): void {
  const load = PersistenceManager.prototype.load;
  PersistenceManager.prototype.load = function (queues, ...others) {
    load.call(this, queues, ...others);
    for (const queue of queues.allQueues()) {
      for (const receiptHandle of [...queue.inflightMessages.keys()])
        queue.changeVisibility(receiptHandle, 0);
    }
  };
}
