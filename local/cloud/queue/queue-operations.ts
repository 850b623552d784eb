import * as z from "zod/mini";
import { AwsError } from "../aws-error.ts";
import { type AwsCaller, type AwsOperation, defineOperation } from "../aws-operation.ts";
import { invalidParameter } from "./invalid-parameter.ts";
import { type CheckedMessage, checkMessage, maxBatchBytes, messageSchema, sizeOf } from "./message-checks.ts";
import { digestOfAttributes, digestOfBody } from "./message-digest.ts";
import { writeMessage } from "./message-writing.ts";
import type { NamedQueue, Queues } from "./named-queue.ts";

const names = z.optional(z.array(z.string()));

const ofQueue = { QueueUrl: z.string() };

export function createQueueOperations(queues: Queues): ReadonlyMap<string, AwsOperation> {
  return new Map([...queueOperations(queues), ...messageOperations(queues)]);
}

function queueOperations(queues: Queues): [string, AwsOperation][] {
  const createSchema = z.object({
    QueueName: z.string().check(z.regex(/^(?=.{1,80}$)[\w-]+(\.fifo)?$/)),
    Attributes: z.optional(z.record(z.string(), z.string())),
  });
  return [
    define("CreateQueue", createSchema, ({ QueueName, Attributes = {} }, { region }) => {
      queues.ensure(QueueName, Attributes, region);
      return { QueueUrl: queues.urlOf(QueueName) };
    }),
    define("GetQueueUrl", z.object({ QueueName: z.string() }), ({ QueueName }) => ({
      QueueUrl: queues.urlOf(queues.get(QueueName).name),
    })),
    define(
      "GetQueueAttributes",
      z.object({ ...ofQueue, AttributeNames: names }),
      ({ QueueUrl, AttributeNames = [] }) => {
        const all = Object.entries(describe(queues.get(QueueUrl)));
        const isWanted = (name: string) => AttributeNames.includes("All") || AttributeNames.includes(name);
        return { Attributes: Object.fromEntries(all.filter(([name]) => isWanted(name))) };
      },
    ),
  ];
}

function messageOperations(queues: Queues): [string, AwsOperation][] {
  const onQueue = <Input>(
    name: string,
    schema: z.ZodMiniType<Input>,
    run: (named: NamedQueue, input: Input, caller: AwsCaller) => object,
  ) =>
    define(name, z.intersection(z.object(ofQueue), schema), (input, caller) =>
      run(queues.get(input.QueueUrl), input, caller),
    );
  /** Defines an operation and its `Batch` of up to ten. */
  const alsoInBatch = <Input>(
    name: string,
    schema: z.ZodMiniType<Input>,
    run: (named: NamedQueue, input: Input, caller: AwsCaller) => object,
    checkAll: (entries: readonly Input[]) => void = () => {},
  ) => [
    onQueue(name, schema, run),
    onQueue(
      `${name}Batch`,
      z.object({ Entries: z.array(z.intersection(z.object({ Id: z.string() }), schema)) }),
      (named, { Entries }, caller) => {
        checkAll(Entries);
        return inBatch(Entries, (entry) => run(named, entry, caller));
      },
    ),
  ];
  return [
    ...alsoInBatch(
      "SendMessage",
      messageSchema,
      (named, message, { invocation }) => send(queues, named, message, invocation),
      (messages) => {
        if (messages.reduce((sum, message) => sum + sizeOf(message), 0) <= maxBatchBytes) return;
        const text = `Batch requests cannot be longer than ${maxBatchBytes} bytes.`;
        throw new AwsError("BatchRequestTooLong", text);
      },
    ),
    ...alsoInBatch(
      "DeleteMessage",
      z.object({ ReceiptHandle: z.string() }),
      ({ queue }, { ReceiptHandle }) => {
        queue.delete(ReceiptHandle);
        return {};
      },
    ),
    ...alsoInBatch(
      "ChangeMessageVisibility",
      z.object({ ReceiptHandle: z.string(), VisibilityTimeout: z.number() }),
      ({ queue }, { ReceiptHandle, VisibilityTimeout }) => {
        checkRange("VisibilityTimeout", VisibilityTimeout, [0, 43_200]);
        queue.changeVisibility(ReceiptHandle, VisibilityTimeout * 1000);
        return {};
      },
    ),
    onQueue("ReceiveMessage", receiveSchema, receive),
  ];
}

function receive({ queue }: NamedQueue, input: z.infer<typeof receiveSchema>): object {
  const { MaxNumberOfMessages: max, VisibilityTimeout: timeout, WaitTimeSeconds: wait = 0 } = input;
  checkRange("MaxNumberOfMessages", max, [1, 10]);
  checkRange("WaitTimeSeconds", wait, [0, 20]);
  checkRange("VisibilityTimeout", timeout ?? 0, [0, 43_200]);
  const visibilityTimeoutMs = timeout === undefined ? undefined : timeout * 1000;
  const messages = queue.receive({ max, visibilityTimeoutMs });
  return messages.length === 0 ? {} : { Messages: messages.map((message) => writeMessage(message, input)) };
}

/** `WaitTimeSeconds` defaults to the queue's own. */
export const receiveSchema = z.object({
  ...ofQueue,
  MaxNumberOfMessages: z._default(z.number(), 1),
  VisibilityTimeout: z.optional(z.number()),
  WaitTimeSeconds: z.optional(z.number()),
  AttributeNames: names,
  MessageSystemAttributeNames: names,
  MessageAttributeNames: names,
});

function send(
  queues: Queues,
  { name, attributes: settings, queue }: NamedQueue,
  message: CheckedMessage,
  invocation: string | undefined,
): object {
  checkMessage(message, Number(settings.MaximumMessageSize));
  const { MessageBody: body, MessageGroupId: lane, MessageDeduplicationId: deduplicationId } = message;
  const { MessageAttributes: attributes = {}, DelaySeconds } = message;
  const { messageId, sequenceNumber } = queue.send({
    body,
    lane,
    deduplicationId,
    attributes,
    delayMs: DelaySeconds === undefined ? undefined : DelaySeconds * 1000,
  });
  queues.onSent?.({
    queueName: name,
    messageId,
    body,
    groupId: lane,
    deduplicationId,
    invocation,
    attributes: Object.keys(attributes),
  });
  return {
    MessageId: messageId,
    MD5OfMessageBody: digestOfBody(body),
    MD5OfMessageAttributes: digestOfAttributes(attributes),
    SequenceNumber: sequenceNumber,
  };
}

/** Runs each entry; a failure does not affect the others. @throws AwsError if SQS refuses the whole list */
function inBatch<Entry extends { Id: string }>(
  entries: readonly Entry[],
  run: (entry: Entry) => object,
): object {
  const ids = entries.map(({ Id }) => Id);
  if (ids.length === 0) {
    throw new AwsError("EmptyBatchRequest", "There should be at least one entry in the request.");
  }
  if (ids.length > 10) {
    const text = `Maximum number of entries per request are 10. You have sent ${ids.length}.`;
    throw new AwsError("TooManyEntriesInBatchRequest", text);
  }
  if (new Set(ids).size < ids.length) {
    throw new AwsError("BatchEntryIdsNotDistinct", "Two or more batch entries have the same Id.");
  }
  if (!ids.every((id) => /^[\w-]{1,80}$/.test(id))) {
    throw new AwsError(
      "InvalidBatchEntryId",
      "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
    );
  }
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const isOldHandle = error.message.includes("parameter ReceiptHandle");
      const Code = isOldHandle ? "ReceiptHandleIsInvalid" : error.code;
      Failed.push({ Id: entry.Id, Code, Message: error.message, SenderFault: true });
    }
  }
  return { Successful, Failed };
}

function define<Input>(
  name: string,
  schema: z.ZodMiniType<Input>,
  run: (input: Input, caller: AwsCaller) => object,
): [string, AwsOperation] {
  return [name, defineOperation("InvalidParameterValue", schema, run)];
}

function checkRange(name: string, value: number, [least, greatest]: readonly [number, number]) {
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
