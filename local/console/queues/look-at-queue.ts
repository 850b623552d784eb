import { groupByCause } from "../../../lib/queue/cause-group.ts";
import { countSelected, isSelected, type Selection } from "../../../lib/queue/set-aside.ts";
import type { QueuedMessage } from "../../cloud/sqs-endpoint.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { Counts, QueueGroup, QueueName, QueueRow } from "../api/queues.ts";
import { queueTable } from "./queue-table.ts";
import { type MessageFacts, readMessage } from "./read-message.ts";

export interface Looked {
  readonly message: QueuedMessage;
  readonly facts: MessageFacts;
}

/** Receives no messages, so that consumers are not delayed. */
export interface QueueReader {
  /** Selected messages in the queue's order, and the number of all. */
  look(queue: QueueName, selection: Selection): { readonly found: readonly Looked[]; readonly all: number };
}

/** Parsing ten thousand messages is slow, so they are cached. */
export function createQueueReader(cloud: Pick<Cloud, "receiveAll">): QueueReader {
  const known = new Map<QueueName, Map<string, MessageFacts>>();
  return {
    look(queue, selection) {
      const messages = cloud.receiveAll(queueTable[queue].logicalId);
      const before = known.get(queue);
      const after = new Map<string, MessageFacts>();
      const found = messages.flatMap((message) => {
        const facts = before?.get(message.messageId) ?? readMessage(queue, message);
        after.set(message.messageId, facts);
        return isSelected(facts, selection) ? [{ message, facts }] : [];
      });
      known.set(queue, after);
      return { found, all: messages.length };
    },
  };
}

export function toQueueRow({ message, facts }: Looked, redact: (text: string) => string): QueueRow {
  const { messageId: id, state, sentAtMs, visibleAtMs, receiveCount, groupId = "" } = message;
  const { appId, trigger, deliveryKey, receivedAt, reason, cause, tries } = facts;
  return {
    ...{ id, state, sentAtMs, received: receiveCount, lane: groupId, appId, trigger },
    visibleAtMs: state === "visible" ? undefined : visibleAtMs,
    deliveryKey: deliveryKey && redact(deliveryKey),
    receivedAtMs: Number.isFinite(receivedAt) ? receivedAt : undefined,
    reason: reason || undefined,
    cause: cause === "" ? undefined : redact(cause),
    tries: Number.isFinite(tries) ? tries : undefined,
  };
}

export function countLooked(found: readonly Looked[]): Counts {
  return countSelected(found.map(({ facts }) => facts));
}

/** Groups by cause as the commands do, largest first, without secrets. */
export function groupLooked(
  found: readonly Looked[],
  redact: (text: string) => string,
): readonly QueueGroup[] {
  return groupByCause(found.map(({ facts }) => facts))
    .slice(0, mostGroups)
    .map(({ name, cause, reason, count }) => ({ name, cause: redact(cause || reason), count }));
}

const mostGroups = 50;
