import { isRecord, parseJson } from "../../../lib/base/json.ts";
import { readDeadLetter } from "../../../lib/queue/dead-letter.ts";
import type { HeldMessage } from "../../../lib/queue/held-queue.ts";
import { factsOf } from "../../../lib/queue/message-facts.ts";
import { readQuarantined } from "../../../lib/queue/quarantined-delivery.ts";
import { payloadOf } from "../../../lib/queue/read-queued-event.ts";
import type { SetAside } from "../../../lib/queue/set-aside.ts";
import type { QueuedMessage } from "../../cloud/sqs-endpoint.ts";
import type { QueueName } from "../api/queues.ts";

export interface MessageFacts extends SetAside {
  readonly tries?: number | undefined;
  readonly finished?: readonly string[];
}

export function readMessage(queue: QueueName, message: QueuedMessage): MessageFacts {
  if (queue === "dead-letters") return readDeadLetter(toHeld(message));
  if (queue === "quarantine") return readQuarantined(toHeld(message));
  const body = parseJson(message.body);
  const { appId = "", trigger, deliveryKey, receivedAt } = factsOf(body) ?? readTicket(body);
  return {
    ...{ id: message.messageId, appId, trigger: trigger ?? "", reason: "", cause: "" },
    ...{ deliveryKey, receivedAt, setAsideAt: message.sentAtMs },
  };
}

/** The platform's delivery, if there is one. May contain users' texts. */
export function contentOfMessage({ body }: QueuedMessage): string {
  return payloadOf(body) ?? body;
}

interface TicketFacts {
  readonly appId?: string | undefined;
  readonly trigger?: string | undefined;
  readonly deliveryKey?: undefined;
  readonly receivedAt?: undefined;
}

function readTicket(body: unknown): TicketFacts {
  const { appId, ticket } = isRecord(body) ? body : {};
  return {
    appId: typeof appId === "string" ? appId : "",
    trigger: typeof ticket === "string" ? `ticket: ${ticket}` : "",
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
