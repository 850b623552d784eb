import { createHash, hash } from "node:crypto";
import type { MessageAttributes } from "./queue-message.ts";

export function digestOfBody(body: string): string {
  return hash("md5", body);
}

/**
 * Returns undefined without attributes.
 * @see
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html#sqs-attributes-md5-message-digest-calculation
 */
export function digestOfAttributes(attributes: MessageAttributes): string | undefined {
  const entries = Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) return undefined;
  const hash = createHash("md5");
  const add = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const [name, { DataType, StringValue, BinaryValue }] of entries) {
    add(Buffer.from(name));
    add(Buffer.from(DataType));
    hash.update(Buffer.of(BinaryValue === undefined ? 1 : 2));
    add(BinaryValue === undefined ? Buffer.from(StringValue ?? "") : Buffer.from(BinaryValue, "base64"));
  }
  return hash.digest("hex");
}
