import type { SQSRecord } from "aws-lambda";
import { bodyOf } from "./lane-world.ts";

export const arnOf = (queue: string) => `arn:aws:sqs:us-east-1:000000000000:${queue}`;

type Attributes = { readonly [Name in keyof SQSRecord["attributes"]]?: string | undefined };

/** The n-th message of a queue, as its event source delivers it. */
export function sqsRecordOf(
  number: number,
  more: { attributes?: Attributes } & Partial<Omit<SQSRecord, "attributes">> = {},
): SQSRecord {
  return {
    messageId: `m-${number}`,
    receiptHandle: `handle-${number}`,
    body: bodyOf(number),
    messageAttributes: {},
    md5OfBody: "",
    eventSource: "aws:sqs",
    eventSourceARN: arnOf("events.fifo"),
    awsRegion: "us-east-1",
    ...more,
    attributes: {
      ApproximateReceiveCount: "1",
      SentTimestamp: "0",
      SenderId: "",
      ApproximateFirstReceiveTimestamp: "0",
      MessageGroupId: "lane-1",
      SequenceNumber: String(number),
      ...more.attributes,
    } as SQSRecord["attributes"],
  };
}
