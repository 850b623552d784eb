import { digestOfAttributes, digestOfBody } from "./message-digest.ts";
import type { MessageAttributes, ReceivedMessage } from "./queue-message.ts";

interface Wanted {
  readonly AttributeNames?: readonly string[] | undefined;
  readonly MessageSystemAttributeNames?: readonly string[] | undefined;
  readonly MessageAttributeNames?: readonly string[] | undefined;
}

export function writeMessage(message: ReceivedMessage, wanted: Wanted): object {
  const attributes = pickAttributes(message.attributes, wanted.MessageAttributeNames ?? []);
  const names = [...(wanted.AttributeNames ?? []), ...(wanted.MessageSystemAttributeNames ?? [])];
  const system = Object.entries(systemAttributesOf(message)).filter(
    ([name, value]) => value !== undefined && (names.includes("All") || names.includes(name)),
  );
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: digestOfBody(message.body),
    MD5OfMessageAttributes: digestOfAttributes(attributes),
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: attributes }),
    ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
  };
}

export function systemAttributesOf(message: ReceivedMessage) {
  return {
    ApproximateReceiveCount: String(message.receiveCount),
    SentTimestamp: String(message.sentAtMs),
    SenderId: "local",
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs),
    MessageGroupId: message.lane,
    MessageDeduplicationId: message.deduplicationId,
    SequenceNumber: message.sequenceNumber,
    DeadLetterQueueSourceArn: message.deadLetterSourceArn,
  };
}

function pickAttributes(attributes: MessageAttributes, wanted: readonly string[]): MessageAttributes {
  const isWanted = (name: string) =>
    wanted.some((pattern) =>
      pattern === "All" || pattern === ".*"
        ? true
        : pattern.endsWith(".*")
          ? name.startsWith(pattern.slice(0, -1))
          : name === pattern,
    );
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isWanted(name)));
}
