import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { groupByCause } from "../../../lib/queue/cause-group.ts";
import { readDeadLetter } from "../../../lib/queue/dead-letter.ts";
import type { HeldMessage } from "../../../lib/queue/held-queue.ts";
import { factsOf } from "../../../lib/queue/message-facts.ts";
import { readQuarantined } from "../../../lib/queue/quarantined-delivery.ts";
import { isSelected, type Selection, type SetAside } from "../../../lib/queue/set-aside.ts";
import type { QueuedMessage } from "../../cloud/sqs-endpoint.ts";
import type { Cloud } from "../../cloud/start-cloud.ts";
import type { QueueGroup, QueueName, QueueRow } from "../api/queues.ts";
import { textAt } from "../read-value.ts";

export const queueTable = {
  events: { title: "Events", logicalId: "EventsQueue" },
  "parked-lanes": { title: "Parked lanes", logicalId: "ParkedLanesQueue" },
  calls: { title: "Calls", logicalId: "CallsQueue" },
  "dead-letters": { title: "Dead letters", logicalId: "DeadLetterQueue" },
  quarantine: { title: "Quarantine", logicalId: "QuarantineQueue" },
} as const satisfies Record<QueueName, { title: string; logicalId: string }>;

export const queueNames = ["events", "parked-lanes", "calls", "dead-letters", "quarantine"] as const;

export interface Looked {
  readonly message: QueuedMessage;
  readonly facts: SetAside & { readonly tries?: number | undefined; readonly finished?: readonly string[] };
}

/** Receives no messages, so that consumers are not delayed. */
export interface QueueReader {
  look(queue: QueueName, selection: Selection): { readonly found: readonly Looked[]; readonly all: number };
}

/** Parsing ten thousand messages is slow, so they are cached. */
export function createQueueReader(cloud: Pick<Cloud, "receiveAll">): QueueReader {
  const known = new Map<QueueName, ReadonlyMap<string, Looked["facts"]>>();
  return {
    look(queue, selection) {
      const before = known.get(queue);
      const all = cloud.receiveAll(queueTable[queue].logicalId).map((message): Looked => {
        return { message, facts: before?.get(message.messageId) ?? readMessage(queue, message) };
      });
      known.set(queue, new Map(all.map(({ message, facts }) => [message.messageId, facts])));
      return { found: all.filter(({ facts }) => isSelected(facts, selection)), all: all.length };
    },
  };
}

function readMessage(queue: QueueName, message: QueuedMessage): Looked["facts"] {
  if (queue === "dead-letters") return readDeadLetter(toHeld(message));
  if (queue === "quarantine") return readQuarantined(toHeld(message));
  const body = parseJson(message.body);
  const ticket = isRecord(body) && typeof body.ticket === "string" ? `ticket: ${body.ticket}` : "";
  const { appId, trigger, deliveryKey, receivedAt } = factsOf(body) ?? {
    ...{ appId: textAt(body, "appId"), trigger: ticket, deliveryKey: undefined, receivedAt: undefined },
  };
  return {
    ...{ id: message.messageId, appId, trigger, reason: "", cause: "", deliveryKey, receivedAt },
    setAsideAt: message.sentAtMs,
  };
}

/** The message is only read, so it has no receipt handle. */
export function toHeld({
  messageId: id,
  body,
  attributes = {},
  groupId: group = "",
  sentAtMs: sentAt = 0,
}: Pick<QueuedMessage, "messageId" | "body"> & Partial<QueuedMessage>): HeldMessage {
  const texts = Object.entries(attributes).map(([name, { StringValue }]) => [name, StringValue]);
  return {
    ...{ id, body, attributes: Object.fromEntries(texts), group, sentAt },
    ...{ sequence: "", receiptHandle: "", heldUntil: 0 },
  };
}

export function toQueueRow({ message, facts }: Looked): QueueRow {
  const { messageId: id, state, sentAtMs, visibleAtMs, receiveCount: received, groupId: lane = "" } = message;
  const { appId, trigger, deliveryKey, receivedAt, reason, cause, tries } = facts;
  return {
    ...{ id, state, sentAtMs, received, lane, appId, trigger, deliveryKey },
    visibleAtMs: state === "visible" ? undefined : visibleAtMs,
    receivedAtMs: Number.isFinite(receivedAt) ? receivedAt : undefined,
    reason: reason || undefined,
    cause: cause || undefined,
    tries: Number.isFinite(tries) ? tries : undefined,
  };
}

/** Groups by cause as the commands do, largest first. */
export function groupLooked(found: readonly Looked[]): readonly QueueGroup[] {
  return groupByCause(found.map(({ facts }) => facts))
    .slice(0, mostGroups)
    .map(({ name, cause, reason, count }) => ({ name, cause: cause || reason, count }));
}

const mostGroups = 50;
