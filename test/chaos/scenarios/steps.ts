/** What the consumer asks of the world on its ways through a lane, parked or not: each is a step that a process can die at. */
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
 * All of them. Two are asked for by slow batches alone: where one lane is much slower than another, and pauses are looked at
 * again where an invocation lasts for seconds.
 */
export const stepsOfConsumer = [...stepsOfLane, "sqs.DeleteMessageBatch", "dynamodb.GetItem"] as const;

export type Step = (typeof stepsOfLane)[number];
