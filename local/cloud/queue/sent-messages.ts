import * as z from "zod/mini";

/** A message that a queue took, or had taken before: then it has the id of the first one. */
export interface SentMessage {
  readonly queueName: string;
  readonly messageId: string;
  readonly body: string;
  readonly groupId: string | undefined;
  readonly deduplicationId: string | undefined;
  /** Names of the message's attributes. */
  readonly attributes: readonly string[];
  /** The invocation of a function that sent it. */
  readonly invocation: string | undefined;
}

const messageSchema = z.object({
  MessageBody: z.string(),
  MessageGroupId: z.optional(z.string()),
  MessageDeduplicationId: z.optional(z.string()),
  MessageAttributes: z.optional(z.record(z.string(), z.unknown())),
});
const oneSchema = z.extend(messageSchema, { QueueUrl: z.string() });
const manySchema = z.object({
  QueueUrl: z.string(),
  Entries: z.array(z.extend(messageSchema, { Id: z.string() })),
});
const answerSchema = z.object({ MessageId: z.string() });
const answersSchema = z.object({
  Successful: z.optional(z.array(z.object({ Id: z.string(), MessageId: z.string() }))),
});

/** Reads what SendMessage or SendMessageBatch was given and has taken (pure). */
export function sentMessages(input: unknown, answer: unknown): readonly Omit<SentMessage, "invocation">[] {
  const one = oneSchema.safeParse(input);
  if (one.success) {
    const given = answerSchema.safeParse(answer);
    return given.success ? [toSent(one.data.QueueUrl, one.data, given.data.MessageId)] : [];
  }
  const many = manySchema.safeParse(input);
  const taken = new Map(
    answersSchema.safeParse(answer).data?.Successful?.map(({ Id, MessageId }) => [Id, MessageId]),
  );
  return (many.data?.Entries ?? []).flatMap((entry) => {
    const messageId = taken.get(entry.Id);
    return messageId === undefined ? [] : [toSent(many.data?.QueueUrl ?? "", entry, messageId)];
  });
}

function toSent(
  queueUrl: string,
  {
    MessageBody,
    MessageGroupId,
    MessageDeduplicationId,
    MessageAttributes = {},
  }: z.infer<typeof messageSchema>,
  messageId: string,
): Omit<SentMessage, "invocation"> {
  return {
    queueName: queueUrl.slice(queueUrl.lastIndexOf("/") + 1),
    messageId,
    body: MessageBody,
    groupId: MessageGroupId,
    deduplicationId: MessageDeduplicationId,
    attributes: Object.keys(MessageAttributes),
  };
}
