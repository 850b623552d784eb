import * as z from "zod/mini";
import { AwsError } from "../aws-error.ts";
import { invalidParameter } from "./invalid-parameter.ts";
import { attributeSchema } from "./queue-message.ts";
import type { NewMessage } from "./queue-settings.ts";

const checkedAttributeSchema = z.extend(attributeSchema, {
  DataType: z.string().check(z.regex(/^(String|Number|Binary)(\..+)?$/)),
});
export const messageSchema = z.object({
  MessageBody: z.string(),
  MessageGroupId: z.optional(z.string()),
  MessageDeduplicationId: z.optional(z.string()),
  DelaySeconds: z.optional(z.number()),
  MessageAttributes: z.optional(z.record(z.string(), checkedAttributeSchema)),
});

export type CheckedMessage = z.infer<typeof messageSchema>;

/**
 * The limit for one call.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html
 */
export const maxBatchBytes = 1_048_576;

const maxAttributes = 10;
// Anything but a character of XML 1.0, which includes emoji.
const invalidCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const validId = /^[a-zA-Z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]{1,128}$/;

export function checkMessage(message: CheckedMessage, maxBytes: number): void {
  const { MessageBody: body, MessageAttributes: attributes = {}, DelaySeconds = 0 } = message;
  if (body === "") {
    throw new AwsError("MissingParameter", "The request must contain the parameter MessageBody.");
  }
  const texts = [body, ...Object.values(attributes).map(({ StringValue = "" }) => StringValue)];
  if (texts.some((text) => invalidCharacter.test(text))) {
    throw new AwsError(
      "InvalidMessageContents",
      "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
    );
  }
  if (sizeOf(message) > maxBytes) {
    throw new AwsError(
      "InvalidParameterValue",
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`,
    );
  }
  if (Object.keys(attributes).length > maxAttributes) {
    throw new AwsError(
      "InvalidParameterValue",
      `Number of message attributes [${Object.keys(attributes).length}] exceeds the allowed maximum [${maxAttributes}].`,
    );
  }
  for (const name of ["MessageGroupId", "MessageDeduplicationId"] as const) {
    const value = message[name];
    if (value === undefined || validId.test(value)) continue;
    const reason = `${name} can only include alphanumeric and punctuation characters. 1 to 128 in length.`;
    throw invalidParameter(name, value, reason);
  }
  if (DelaySeconds < 0 || DelaySeconds > 900) {
    throw invalidParameter("DelaySeconds", DelaySeconds, "DelaySeconds must be >= 0 and <= 900.");
  }
}

export function sizeOf({ MessageBody, MessageAttributes = {} }: CheckedMessage): number {
  return Object.entries(MessageAttributes).reduce(
    (sum, [name, { DataType, StringValue = "", BinaryValue = "" }]) =>
      sum +
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue) +
      Buffer.byteLength(BinaryValue, "base64"),
    Buffer.byteLength(MessageBody),
  );
}

/** @throws AwsError for fields that a FIFO queue refuses */
export function checkFifoMessage({ lane, delayMs = 0, deduplicationId }: Partial<NewMessage>): void {
  if (lane === undefined) {
    throw new AwsError("MissingParameter", "The request must contain the parameter MessageGroupId.");
  }
  if (delayMs !== 0) {
    const reason = "The request include parameter that is not valid for this queue type.";
    throw invalidParameter("DelaySeconds", delayMs / 1000, reason);
  }
  if (deduplicationId === undefined) {
    throw new AwsError(
      "InvalidParameterValue",
      "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly",
    );
  }
}
