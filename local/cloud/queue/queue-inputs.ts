import * as z from "zod/mini";

// What the operations of SQS's JSON protocol take.

const attributeSchema = z.object({
  DataType: z.string().check(z.regex(/^(String|Number|Binary)(\..+)?$/)),
  StringValue: z.optional(z.string()),
  BinaryValue: z.optional(z.string()),
});

const messageFields = {
  MessageBody: z.string(),
  MessageGroupId: z.optional(z.string()),
  MessageDeduplicationId: z.optional(z.string()),
  DelaySeconds: z.optional(z.number()),
  MessageAttributes: z.optional(z.record(z.string(), attributeSchema)),
  MessageSystemAttributes: z.optional(z.record(z.string(), attributeSchema)),
};

const ofQueue = { QueueUrl: z.string() };
const withId = { Id: z.string() };
const visibilityFields = { ReceiptHandle: z.string(), VisibilityTimeout: z.number() };
const attributes = z.record(z.string(), z.string());
const names = z.optional(z.array(z.string()));

export const messageSchema = z.object(messageFields);
const batchEntrySchema = z.object({ ...withId, ...messageFields });

export const inputs = {
  CreateQueue: z.object({ QueueName: z.string(), Attributes: z.optional(attributes) }),
  DeleteQueue: z.object(ofQueue),
  GetQueueUrl: z.object({ QueueName: z.string() }),
  ListQueues: z.object({ QueueNamePrefix: z.optional(z.string()) }),
  GetQueueAttributes: z.object({ ...ofQueue, AttributeNames: names }),
  SetQueueAttributes: z.object({ ...ofQueue, Attributes: attributes }),
  PurgeQueue: z.object(ofQueue),
  SendMessage: z.object({ ...ofQueue, ...messageFields }),
  SendMessageBatch: z.object({ ...ofQueue, Entries: z.array(batchEntrySchema) }),
  ReceiveMessage: z.object({
    ...ofQueue,
    MaxNumberOfMessages: z.optional(z.number()),
    VisibilityTimeout: z.optional(z.number()),
    WaitTimeSeconds: z.optional(z.number()),
    AttributeNames: names,
    MessageSystemAttributeNames: names,
    MessageAttributeNames: names,
  }),
  DeleteMessage: z.object({ ...ofQueue, ReceiptHandle: z.string() }),
  DeleteMessageBatch: z.object({
    ...ofQueue,
    Entries: z.array(z.object({ ...withId, ReceiptHandle: z.string() })),
  }),
  ChangeMessageVisibility: z.object({ ...ofQueue, ...visibilityFields }),
  ChangeMessageVisibilityBatch: z.object({
    ...ofQueue,
    Entries: z.array(z.object({ ...withId, ...visibilityFields })),
  }),
};
