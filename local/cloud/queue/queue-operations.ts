import type * as z from "zod/mini";
import { inBatch } from "./in-batch.ts";
import { checkMessage, maxBatchBytes, sizeOf } from "./message-checks.ts";
import { digestOfAttributes, digestOfBody } from "./message-digest.ts";
import { writeMessage } from "./message-writing.ts";
import { completeAttributes } from "./queue-attributes.ts";
import { invalidParameter, QueueError } from "./queue-error.ts";
import { inputs, type messageSchema } from "./queue-inputs.ts";
import type { NamedQueue, QueueRoom } from "./queue-room.ts";

/** An operation takes the request's body and the caller's region, and gives the answer's body. */
export type QueueOperation = (input: unknown, region: string) => object;

/** Two purges of a queue lie this far apart. @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_PurgeQueue.html */
const purgePauseMs = 60_000;

/** Makes SQS's operations by name, over the queues of a room. */
export function createQueueOperations(room: QueueRoom): ReadonlyMap<string, QueueOperation> {
  const purgedAtMs = new Map<string, number>();

  const send = (named: NamedQueue, message: z.infer<typeof messageSchema>) => {
    checkMessage(message, Number(named.attributes.MaximumMessageSize));
    const { MessageAttributes: attributes = {}, MessageSystemAttributes: system = {} } = message;
    const { messageId, sequenceNumber } = named.queue.send({
      body: message.MessageBody,
      lane: message.MessageGroupId,
      deduplicationId: message.MessageDeduplicationId,
      attributes,
      traceHeader: system.AWSTraceHeader?.StringValue,
      delayMs: message.DelaySeconds === undefined ? undefined : message.DelaySeconds * 1000,
    });
    return {
      MessageId: messageId,
      MD5OfMessageBody: digestOfBody(message.MessageBody),
      MD5OfMessageAttributes: digestOfAttributes(attributes),
      SequenceNumber: sequenceNumber,
    };
  };
  const changeVisibility = (
    { queue }: NamedQueue,
    { ReceiptHandle, VisibilityTimeout }: { ReceiptHandle: string; VisibilityTimeout: number },
  ) => {
    checkRange("VisibilityTimeout", VisibilityTimeout, [0, 43_200]);
    queue.changeVisibility(ReceiptHandle, VisibilityTimeout * 1000);
  };

  const operations = [
    define("CreateQueue", inputs.CreateQueue, ({ QueueName, Attributes = {} }, region) => {
      if (!/^[\w-]{1,80}$/.test(QueueName.replace(/\.fifo$/, "")) || QueueName.length > 80) {
        throw new QueueError(
          "InvalidParameterValue",
          "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length",
        );
      }
      const existing = room.queues.get(QueueName);
      const wanted = completeAttributes(QueueName, Attributes);
      if (existing) {
        const differing = Object.keys(Attributes).find((name) => existing.attributes[name] !== wanted[name]);
        if (differing !== undefined) {
          throw new QueueError(
            "QueueNameExists",
            `A queue already exists with the same name and a different value for attribute ${differing}`,
          );
        }
      } else room.ensure(QueueName, Attributes, region);
      return { QueueUrl: room.urlOf(QueueName) };
    }),
    define("DeleteQueue", inputs.DeleteQueue, ({ QueueUrl }) => {
      room.remove(room.get(QueueUrl).name);
      return {};
    }),
    define("GetQueueUrl", inputs.GetQueueUrl, ({ QueueName }) => ({
      QueueUrl: room.urlOf(room.get(QueueName).name),
    })),
    define("ListQueues", inputs.ListQueues, ({ QueueNamePrefix = "" }) => ({
      QueueUrls: [...room.queues.keys()].filter((name) => name.startsWith(QueueNamePrefix)).map(room.urlOf),
    })),
    define("GetQueueAttributes", inputs.GetQueueAttributes, ({ QueueUrl, AttributeNames = [] }) => {
      const all = Object.entries(describe(room.get(QueueUrl)));
      const isWanted = (name: string) => AttributeNames.includes("All") || AttributeNames.includes(name);
      return { Attributes: Object.fromEntries(all.filter(([name]) => isWanted(name))) };
    }),
    define("SetQueueAttributes", inputs.SetQueueAttributes, ({ QueueUrl, Attributes }) => {
      const { name, arn } = room.get(QueueUrl);
      room.ensure(name, Attributes, arn.split(":")[3] ?? "");
      return {};
    }),
    define("PurgeQueue", inputs.PurgeQueue, ({ QueueUrl }) => {
      const { name, queue } = room.get(QueueUrl);
      if (room.now() - (purgedAtMs.get(name) ?? Number.NEGATIVE_INFINITY) < purgePauseMs) {
        throw new QueueError(
          "PurgeQueueInProgress",
          `Only one PurgeQueue operation on ${name} is allowed every ${purgePauseMs / 1000} seconds.`,
        );
      }
      purgedAtMs.set(name, room.now());
      queue.purge();
      return {};
    }),
    define("SendMessage", inputs.SendMessage, ({ QueueUrl, ...message }) =>
      send(room.get(QueueUrl), message),
    ),
    define("SendMessageBatch", inputs.SendMessageBatch, ({ QueueUrl, Entries }) => {
      const named = room.get(QueueUrl);
      if (Entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > maxBatchBytes) {
        const text = `Batch requests cannot be longer than ${maxBatchBytes} bytes.`;
        throw new QueueError("BatchRequestTooLong", text);
      }
      return inBatch(Entries, (entry) => send(named, entry));
    }),
    define("ReceiveMessage", inputs.ReceiveMessage, (input) => {
      const { MaxNumberOfMessages: max = 1, VisibilityTimeout: timeout, WaitTimeSeconds: wait = 0 } = input;
      checkRange("MaxNumberOfMessages", max, [1, 10]);
      checkRange("WaitTimeSeconds", wait, [0, 20]);
      checkRange("VisibilityTimeout", timeout ?? 0, [0, 43_200]);
      const { queue } = room.get(input.QueueUrl);
      const visibilityTimeoutMs = timeout === undefined ? undefined : timeout * 1000;
      const messages = queue.receive({ max, visibilityTimeoutMs });
      return messages.length === 0
        ? {}
        : { Messages: messages.map((message) => writeMessage(message, input)) };
    }),
    define("DeleteMessage", inputs.DeleteMessage, ({ QueueUrl, ReceiptHandle }) => {
      room.get(QueueUrl).queue.delete(ReceiptHandle);
      return {};
    }),
    define("DeleteMessageBatch", inputs.DeleteMessageBatch, ({ QueueUrl, Entries }) => {
      const { queue } = room.get(QueueUrl);
      return inBatch(Entries, ({ ReceiptHandle }) => {
        queue.delete(ReceiptHandle);
        return {};
      });
    }),
    define("ChangeMessageVisibility", inputs.ChangeMessageVisibility, ({ QueueUrl, ...change }) => {
      changeVisibility(room.get(QueueUrl), change);
      return {};
    }),
    define("ChangeMessageVisibilityBatch", inputs.ChangeMessageVisibilityBatch, ({ QueueUrl, Entries }) => {
      const named = room.get(QueueUrl);
      return inBatch(Entries, (entry) => {
        changeVisibility(named, entry);
        return {};
      });
    }),
  ];
  return new Map(operations);
}

function define<Input>(
  name: string,
  schema: z.ZodMiniType<Input>,
  run: (input: Input, region: string) => object,
): [string, QueueOperation] {
  return [
    name,
    (input, region) => {
      const parsed = schema.safeParse(input);
      if (parsed.success) return run(parsed.data, region);
      const [problem] = parsed.error.issues;
      const text = `The request's ${problem?.path.join(".") || "body"} is invalid: ${problem?.message}.`;
      throw new QueueError("InvalidParameterValue", text);
    },
  ];
}

function checkRange(name: string, value: number, [least, greatest]: readonly [number, number]): void {
  if (value >= least && value <= greatest) return;
  throw invalidParameter(name, value, `Must be between ${least} and ${greatest}, if provided.`);
}

function describe({ arn, attributes, createdAtMs, modifiedAtMs, queue }: NamedQueue): Record<string, string> {
  const { visible, inFlight, delayed } = queue.depth();
  return {
    ...attributes,
    QueueArn: arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    CreatedTimestamp: String(Math.floor(createdAtMs / 1000)),
    LastModifiedTimestamp: String(Math.floor(modifiedAtMs / 1000)),
  };
}
