import * as z from "zod/mini";
import { AwsError } from "../aws-error.ts";
import { invalidParameter } from "./invalid-parameter.ts";
import type { Queue } from "./queue.ts";
import type { QueueSettings } from "./queue-settings.ts";

export type QueueAttributes = Readonly<Record<string, string>>;

/** @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html */
const defaults: QueueAttributes = {
  DelaySeconds: "0",
  MaximumMessageSize: "1048576",
  MessageRetentionPeriod: "345600",
  ReceiveMessageWaitTimeSeconds: "0",
  VisibilityTimeout: "30",
  SqsManagedSseEnabled: "true",
};

const fifoDefaults: QueueAttributes = {
  FifoQueue: "true",
  ContentBasedDeduplication: "false",
  DeduplicationScope: "queue",
  FifoThroughputLimit: "perQueue",
};

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  DelaySeconds: [0, 900],
  MaximumMessageSize: [1024, 1_048_576],
  MessageRetentionPeriod: [60, 1_209_600],
  ReceiveMessageWaitTimeSeconds: [0, 20],
  VisibilityTimeout: [0, 43_200],
};

const otherNames =
  /^(Policy|RedrivePolicy|RedriveAllowPolicy|KmsMasterKeyId|KmsDataKeyReusePeriodSeconds|FifoQueue)$/;

export function completeAttributes(queueName: string, given: QueueAttributes): QueueAttributes {
  const isFifo = queueName.endsWith(".fifo");
  if (isFifo !== (given.FifoQueue === "true")) {
    const reason = isFifo
      ? "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length"
      : "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length.";
    throw new AwsError("InvalidParameterValue", reason);
  }
  const complete = { ...defaults, ...(isFifo && fifoDefaults), ...given };
  for (const [name, value] of Object.entries(complete)) {
    if (!(name in defaults) && !(isFifo && name in fifoDefaults) && !otherNames.test(name)) {
      throw new AwsError("InvalidAttributeName", `Unknown Attribute ${name}.`);
    }
    const [least = -Infinity, greatest = Infinity] = ranges[name] ?? [];
    if (name in ranges && !(Number(value) >= least && Number(value) <= greatest)) {
      throw new AwsError("InvalidAttributeValue", `Invalid value for the parameter ${name}.`);
    }
  }
  if (complete.RedrivePolicy !== undefined) readRedrivePolicy(complete.RedrivePolicy);
  return complete;
}

export function toSettings(
  attributes: QueueAttributes,
  { arn, find }: { arn: string; find(arn: string): Queue | undefined },
): QueueSettings {
  const redrive = attributes.RedrivePolicy ? readRedrivePolicy(attributes.RedrivePolicy) : undefined;
  return {
    fifo: attributes.FifoQueue === "true",
    visibilityTimeoutMs: Number(attributes.VisibilityTimeout) * 1000,
    delayMs: Number(attributes.DelaySeconds) * 1000,
    retentionMs: Number(attributes.MessageRetentionPeriod) * 1000,
    deduplicatesByContent: attributes.ContentBasedDeduplication === "true",
    deduplicationScope: attributes.DeduplicationScope === "messageGroup" ? "messageGroup" : "queue",
    ...(redrive && {
      redrive: {
        maxReceiveCount: redrive.maxReceiveCount,
        sourceArn: arn,
        deadLetterQueue: () => find(redrive.deadLetterTargetArn),
      },
    }),
  };
}

const redriveSchema = z.object({
  deadLetterTargetArn: z.string().check(z.regex(/^arn:aws:sqs:[^:]+:\d+:.+$/)),
  maxReceiveCount: z.coerce.number().check(z.gte(1), z.lte(1000)),
});

function readRedrivePolicy(text: string): z.infer<typeof redriveSchema> {
  try {
    return redriveSchema.parse(JSON.parse(text));
  } catch {
    throw invalidParameter("RedrivePolicy", text, "Redrive policy is not a valid JSON map.");
  }
}
