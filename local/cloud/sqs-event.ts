import * as z from "zod/mini";
import { digestOfAttributes, digestOfBody } from "./queue/message-digest.ts";
import { systemAttributesOf } from "./queue/message-writing.ts";
import type { MessageAttribute, ReceivedMessage } from "./queue/queue-message.ts";

export interface SqsRecord {
  messageId: string;
  receiptHandle: string;
  body: string;
  attributes: Record<string, string>;
  messageAttributes: Record<string, object>;
  md5OfBody: string;
  md5OfMessageAttributes?: string;
  eventSource: "aws:sqs";
  eventSourceARN: string;
  awsRegion: string;
}

/** @see https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event */
export function toSqsRecord(
  message: ReceivedMessage,
  source: { queueArn: string; region: string },
): SqsRecord {
  const md5OfMessageAttributes = digestOfAttributes(message.attributes);
  return {
    messageId: message.messageId,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: withoutUndefined(systemAttributesOf(message)),
    messageAttributes: Object.fromEntries(
      Object.entries(message.attributes).map(([name, value]) => [name, toAttribute(value)]),
    ),
    md5OfBody: digestOfBody(message.body),
    ...(md5OfMessageAttributes !== undefined && { md5OfMessageAttributes }),
    eventSource: "aws:sqs",
    eventSourceARN: source.queueArn,
    awsRegion: source.region,
  };
}

/**
 * An empty answer (null, no list, an empty list) means that all succeeded; an invalid one, or an id outside
 * the batch, that all failed.
 * @see
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export function failedMessageIds(answer: unknown, messageIds: readonly string[]): string[] {
  const parsed = batchResponseSchema.safeParse(answer);
  if (!parsed.success) return [...messageIds];
  const failed = (parsed.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => messageIds.includes(id)) ? [...new Set(failed)] : [...messageIds];
}

const batchResponseSchema = z.nullish(
  z.object({
    batchItemFailures: z.nullish(z.array(z.object({ itemIdentifier: z.string().check(z.minLength(1)) }))),
  }),
);

function toAttribute({ DataType, StringValue, BinaryValue }: MessageAttribute): object {
  return {
    dataType: DataType,
    ...(StringValue !== undefined && { stringValue: StringValue }),
    ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
    stringListValues: [],
    binaryListValues: [],
  };
}

function withoutUndefined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
