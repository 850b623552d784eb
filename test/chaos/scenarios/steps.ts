/** The consumer's requests for a lane, parked or not: each is a step at which a process can crash. */
export const stepsOfLane = [
  "secret",
  "chat.POST",
  "chat.GET",
  "dynamodb.BatchGetItem",
  "dynamodb.PutItem",
  "dynamodb.UpdateItem",
  "dynamodb.DeleteItem",
  "dynamodb.Query",
  "sqs.SendMessage",
  "sqs.ChangeMessageVisibilityBatch",
] as const;

/**
 * All of them. Only slow batches make two of them: with one lane much slower than another, and pauses are
 * read again if an invocation lasts for seconds.
 */
export const stepsOfConsumer = [...stepsOfLane, "sqs.DeleteMessageBatch", "dynamodb.GetItem"] as const;

export type Step = (typeof stepsOfLane)[number];
