import type { SQSRecord } from "aws-lambda";
import * as z from "zod/mini";
import { digestOfAttributes, digestOfBody } from "./queue/message-digest.ts";
import { systemAttributesOf } from "./queue/message-writing.ts";
import type { ReceivedMessage } from "./queue/queue-message.ts";

/** @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event */
export function toSqsRecord(
  message: ReceivedMessage,
  { queueArn, region }: { readonly queueArn: string; readonly region: string },
): SQSRecord {
  const { messageId, receiptHandle, body, attributes } = message;
  const md5OfMessageAttributes = digestOfAttributes(attributes);
  return {
    messageId,
    receiptHandle,
    body,
    attributes: systemAttributesOf(message),
    messageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
        name,
        {
          dataType: DataType,
          ...(StringValue !== undefined && { stringValue: StringValue }),
          ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
          stringListValues: [],
          binaryListValues: [],
        },
      ]),
    ),
    md5OfBody: digestOfBody(body),
    ...(md5OfMessageAttributes !== undefined && { md5OfMessageAttributes }),
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: region,
  };
}

const batchResponseSchema = z.nullish(
  z.object({
    batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string().check(z.minLength(1)) }))),
  }),
);

/**
 * Reads a batch response. Null, no list or an empty one: all succeeded; invalid or an unknown id: all failed.
 * @see
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export function failedMessageIds(answer: unknown, messageIds: readonly string[]): string[] {
  const parsed = batchResponseSchema.safeParse(answer);
  if (!parsed.success) return [...messageIds];
  const failed = (parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => messageIds.includes(id)) ? [...new Set(failed)] : [...messageIds];
}
