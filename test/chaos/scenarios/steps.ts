/** What the consumer asks of the world on its ways through a lane, parked or not: each is a step that a process can die at. */
export const stepsOfLane = [
  "secret",
  "chat.POST",
  "chat.GET",
  "dynamodb.BatchGetItem",
  "dynamodb.PutItem",
  "dynamodb.UpdateItem",
  "dynamodb.DeleteItem",
  "dynamodb.GetItem",
  "dynamodb.Query",
  "sqs.SendMessage",
  "sqs.ChangeMessageVisibilityBatch",
] as const;

/** All of them; the last one is asked only where a batch has several lanes, one of them much slower than another. */
export const stepsOfConsumer = [...stepsOfLane, "sqs.DeleteMessageBatch"] as const;

export type Step = (typeof stepsOfLane)[number];
